import type { ReceivedWebhook } from './server.ts';

const TYPE_COLUMN = 28;

/** JSON unless it is told how wide the terminal is; then columns that fit. */
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

/** A terminal obeys control characters, and whoever sends webhooks should not command it. */
function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, '?');
}
