// The delay between accepting and reporting events: the age of the oldest event on a disk of ingest
// that is not yet in the warehouse, across all tenants of the workspace's cell.

import type { Context } from '../platform/context.ts';
import { workspaceOf } from '../platform/permit.ts';

export type IngestDelay = {
  /** A lower bound if `isComplete` is false; undefined if unknown. */
  readonly seconds: number | undefined;
  /** Every node responded and knows its delay, so none holds an older event. */
  readonly isComplete: boolean;
  readonly nodes: number;
  readonly nodesAnswering: number;
  /** All events accepted before this time are in the warehouse; undefined if unknown. */
  readonly completeUntil: Date | undefined;
};

export async function ingestDelay(context: Context): Promise<IngestDelay> {
  const { nodes, answering, spools, askedAtMs, ...all } = await spoolsOfCell(context);
  const ages = spools.flatMap(({ oldestUnsentSeconds }) => oldestUnsentSeconds ?? []);
  const seconds = ages.length === 0 ? undefined : Math.max(...ages);
  const isComplete = all.isComplete && ages.length === spools.length;
  return {
    seconds,
    isComplete,
    nodes,
    nodesAnswering: answering,
    completeUntil:
      isComplete && seconds !== undefined ? new Date(askedAtMs - seconds * 1_000) : undefined,
  };
}

type IngestQuarantine = {
  readonly files: number;
  readonly bytes: number;
  readonly oldestAt: Date | undefined;
};

/** Undefined if a node does not respond. */
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
    // If no node has a spool of the cell, its delay is unknown.
    isComplete: spools.length > 0 && answering.length === nodes.length,
    askedAtMs,
  };
}
