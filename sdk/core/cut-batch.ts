import type { Entry } from './entry.ts';
import { ENVELOPE_BYTES } from './limits.ts';

export type BatchLimits = { readonly eventsMax: number; readonly bodyBytesMax: number };

/** The first entries that fit into one request, and always at least one. */
export function cutBatch(
  entries: readonly Entry[],
  { eventsMax, bodyBytesMax }: BatchLimits,
): readonly Entry[] {
  let bytes = ENVELOPE_BYTES;
  const end = entries.findIndex((entry, index) => {
    bytes += entry.bytes + 1;
    return index > 0 && (index >= eventsMax || bytes > bodyBytesMax);
  });
  return end === -1 ? entries : entries.slice(0, end);
}

/** The body of /v1/batch. The text of the events is the same on each attempt. */
export function batchBody(entries: readonly Entry[], writeKey: string, nowMs: number): string {
  const sentAt = new Date(nowMs).toISOString();
  const events = entries.map(({ text }) => text).join();
  return `{"writeKey":${JSON.stringify(writeKey)},"sentAt":"${sentAt}","batch":[${events}]}`;
}
