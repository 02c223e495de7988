/** A signed event lacks a required value or has it in an unknown form. A retry does not help. */
export class UnreadableEvent extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableEvent';
  }
}
