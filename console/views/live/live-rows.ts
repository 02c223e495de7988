// The rows of the list. A row keeps its key for as long as it is listed, so that the focus stays on it.

import type { Sent } from '../../pieces/sent-event/sent.ts';

export type LiveRow = {
  readonly key: number;
  readonly sent: Sent;
  /** Whether it is briefly highlighted: if it is one of a few. */
  readonly isHighlighted: boolean;
};

/** Adds events of the reports in their places, each once. */
export function withStored(
  rows: readonly LiveRow[],
  stored: readonly Sent[],
  nextKey: () => number,
): readonly LiveRow[] {
  const known = new Set(rows.map(({ sent }) => idOf(sent)));
  const added: LiveRow[] = [];
  for (const sent of stored) {
    const id = idOf(sent);
    if (!known.has(id)) added.push({ key: nextKey(), sent, isHighlighted: false });
    known.add(id);
  }
  return added.length === 0 ? rows : [...rows, ...added].toSorted(newestFirst);
}

/** An event has the same in the live view and in the reports. */
function idOf({ receivedAt, messageId, refusal }: Sent): string {
  return `${Date.parse(receivedAt)} ${messageId} ${refusal?.code} ${refusal?.batchIndex}`;
}

function newestFirst(one: LiveRow, other: LiveRow): number {
  return Date.parse(other.sent.receivedAt) - Date.parse(one.sent.receivedAt);
}
