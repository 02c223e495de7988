/** The totals of the shop so far. */
export class Tally {
  accepted = 0;
  rejected = 0;
  shown = 0;
  clicked = 0;
  dismissed = 0;
  /** The orders, and those whose payment failed. */
  paid = 0;
  unpaid = 0;
  /** The webhooks that the shop's receiver received, and those that it failed. */
  webhooks = 0;
  failedWebhooks = 0;
  unanswered = 0;

  text(): string {
    const parts = [
      `${inDigits(this.accepted)} events accepted, ${inDigits(this.rejected)} rejected`,
      `${inDigits(this.shown)} campaigns shown, ${inDigits(this.clicked)} clicked, ${inDigits(this.dismissed)} dismissed`,
      `${inDigits(this.paid)} orders paid, ${inDigits(this.unpaid)} payments failed`,
      `${inDigits(this.webhooks)} webhooks, ${inDigits(this.failedWebhooks)} failed`,
    ];
    if (this.unanswered > 0) parts.push(`${inDigits(this.unanswered)} requests without a response`);
    return parts.join('; ');
  }
}

function inDigits(count: number): string {
  return count.toLocaleString('en-US');
}
