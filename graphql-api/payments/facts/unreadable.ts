/** What the gateway signed lacks what we need, or has it in no form we know: no repeat mends that. */
export class UnreadableEvent extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableEvent';
  }
}
