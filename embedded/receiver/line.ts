import type { ReceivedWebhook } from './server.ts';

const TYPE_COLUMN = 28;

/** Prints columns that fit the terminal width, or JSON without a width. */
export function webhookLine(webhook: ReceivedWebhook, width: number | undefined): string {
  const { id, type, timestamp, data, isRepeat } = webhook;
  if (width === undefined) return JSON.stringify({ id, type, timestamp, isRepeat, data });
  const columns = [
    timestamp.slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh:mm:ss'.length),
    type.padEnd(TYPE_COLUMN),
    id,
    isRepeat ? 'again' : '     ',
    JSON.stringify(data),
  ].map(printable);
  return columns.join('  ').slice(0, width);
}

/** Replaces control characters, so that a sender cannot control the terminal. */
function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, '?');
}
