// How far what can be read is behind what was accepted: the oldest event that is on a disk of ingest
// and not in the warehouse yet, of all tenants of the workspace's cell.

import type { Context } from '../platform/context.ts';
import { workspaceOf } from '../platform/permit.ts';

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

export async function ingestDelay(context: Context): Promise<IngestDelay> {
  const { nodes, answering, spools, isComplete, askedAtMs } = await spoolsOfCell(context);
  const seconds =
    spools.length === 0 ? undefined : Math.max(...spools.map(spool => spool.oldestUnsentSeconds));
  return {
    seconds,
    isComplete,
    nodes,
    nodesAnswering: answering,
    completeUntil:
      isComplete && seconds !== undefined ? new Date(askedAtMs - seconds * 1_000) : undefined,
  };
}

export type IngestQuarantine = {
  readonly files: number;
  readonly bytes: number;
  readonly oldestAt: Date | undefined;
};

/** Of the nodes that answer; undefined where one of them does not. */
export async function ingestQuarantine(context: Context): Promise<IngestQuarantine | undefined> {
  const { spools, isComplete, askedAtMs } = await spoolsOfCell(context);
  const all = spools.flatMap(({ quarantine }) => quarantine ?? []);
  if (!isComplete || all.length < spools.length) return undefined;
  const kept = all.filter(({ files }) => files > 0);
  const oldestSeconds = Math.max(...kept.map(one => one.oldestSeconds));
  return {
    files: kept.reduce((sum, one) => sum + one.files, 0),
    bytes: kept.reduce((sum, one) => sum + one.bytes, 0),
    oldestAt: kept.length === 0 ? undefined : new Date(askedAtMs - oldestSeconds * 1_000),
  };
}

async function spoolsOfCell({ viewer, deps }: Context) {
  const workspaceId = workspaceOf(viewer);
  const cell = await deps.warehouses.cellOf(viewer!.organizationId, workspaceId);
  const { nodes, askedAtMs } = await deps.ingestNodes.ask();
  const answering = nodes.filter(({ isAnswering }) => isAnswering);
  const spools = answering.flatMap(node => node.spools.filter(spool => spool.cell === cell));
  return {
    nodes: nodes.length,
    answering: answering.length,
    spools,
    // A cell that no node has a spool of is one that nobody can speak for.
    isComplete: spools.length > 0 && answering.length === nodes.length,
    askedAtMs,
  };
}
