// The data that ingest nodes still hold on their disks after a pass. Their files contain rows of all tenants, so
// rows of one person are not counted there.

import type { IngestNode } from '../platform/warehouse/ingest-nodes.ts';
import type { TableReceipt } from './erase-rows.ts';

const SPOOL =
  'Data that was accepted before the deletion is kept for about half an hour. If rows from this data are stored during that time, a later check deletes them.';
const QUARANTINE =
  'These files may contain the person’s rows and stay in quarantine until an operator handles them. If rows from these files are stored later, another check deletes those rows.';

/** Whether every node is known to have delivered all data that it accepted before the first pass. */
export function hasDelivered(nodes: readonly IngestNode[], cell: string, sinceMs: number): boolean {
  return nodes.every(
    ({ isAnswering, spools }) =>
      isAnswering &&
      spools.every(
        ({ cell: its, oldestUnsentSeconds = Number.POSITIVE_INFINITY }) =>
          its !== cell || oldestUnsentSeconds * 1000 < sinceMs,
      ),
  );
}

export function ingestReceipt(
  nodes: readonly IngestNode[],
  cell: string,
  isSettled: boolean,
): TableReceipt[] {
  const spools = nodes.flatMap(node => node.spools).filter(spool => spool.cell === cell);
  const hasQuarantine = spools.some(({ quarantine }) => (quarantine?.files ?? 0) > 0);
  return [
    ...(isSettled ? [] : [kept('spool', SPOOL)]),
    ...(hasQuarantine ? [kept('quarantine', QUARANTINE)] : []),
  ];
}

function kept(table: string, reason: string): TableReceipt {
  return { engine: 'INGEST', table, outcome: 'KEPT', before: null, later: 0, left: null, reason };
}
