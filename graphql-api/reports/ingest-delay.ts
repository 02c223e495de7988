// How far what can be read is behind what was accepted: the oldest event that is on a disk of ingest
// and not in the warehouse yet, of all tenants of the workspace's cell.

import { workspaceOf } from '../access/permit.ts';
import type { Context } from '../context.ts';

export type IngestDelay = {
  /** At least; undefined where nothing is known. */
  readonly seconds: number | undefined;
  /** Every node has answered: no other holds anything older. */
  readonly isComplete: boolean;
  readonly nodes: number;
  readonly nodesAnswering: number;
  /** What came before is all there; undefined where that is not known. */
  readonly completeUntil: Date | undefined;
};

export async function ingestDelay({ viewer, deps }: Context): Promise<IngestDelay> {
  const workspaceId = workspaceOf(viewer);
  const cell = await deps.warehouses.cellOf(viewer!.organizationId, workspaceId);
  const { nodes, askedAtMs } = await deps.ingestNodes.ask();
  const answering = nodes.filter(({ isAnswering }) => isAnswering);
  const spools = answering.flatMap(node => node.spools.filter(spool => spool.cell === cell));
  // A cell that no node has a spool of is one that nobody can speak for.
  const isKnown = spools.length > 0;
  const seconds = isKnown ? Math.max(...spools.map(spool => spool.oldestUnsentSeconds)) : undefined;
  const isComplete = isKnown && answering.length === nodes.length;
  return {
    seconds,
    isComplete,
    nodes: nodes.length,
    nodesAnswering: answering.length,
    completeUntil:
      isComplete && seconds !== undefined ? new Date(askedAtMs - seconds * 1_000) : undefined,
  };
}
