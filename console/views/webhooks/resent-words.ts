import { inCount } from '../../pieces/in-words.ts';

/** What a request to resend will do, or has set off. */
export function toldOf(count: number): string {
  if (count === 0) return 'No deliveries to resend.';
  return `${inCount(count)} ${count === 1 ? 'delivery' : 'deliveries'} will be resent.`;
}
