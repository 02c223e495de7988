import { type RefObject, useEffect, useRef } from 'react';
import type { EventAddress } from '../../../pieces/sent-event/rejected-event-href.ts';
import type { RejectedRow } from '../rejected-query.ts';

/** For the box of a table: back from an event, focuses the link that opened it. */
export function useReturnFocus(
  rows: readonly RejectedRow[],
  event: EventAddress | undefined,
): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  const at = event === undefined ? -1 : rows.findIndex(row => isOf(row, event));
  useEffect(() => {
    // After the page’s heading got the focus.
    const frame = requestAnimationFrame(() => {
      if (!document.activeElement?.matches('body, h1')) return;
      const row = box.current?.querySelectorAll('tbody tr')[at];
      row?.querySelector('a')?.focus();
    });
    return () => cancelAnimationFrame(frame);
    // Only when the row appears, perhaps with a further page.
  }, [at === -1]);
  return box;
}

function isOf({ sent: { receivedAt, messageId, refusal } }: RejectedRow, event: EventAddress) {
  return (
    receivedAt === event.at &&
    messageId === event.messageId &&
    refusal.batchIndex === event.batchIndex
  );
}
