import type { IngestNodes } from '../../../pieces/use-ingest-nodes.ts';

export type Backlog = {
  /** The age of the oldest data; undefined if unknown. */
  readonly seconds: number | undefined;
  /** Undefined if unknown. */
  readonly bytes: number | undefined;
};

const UNKNOWN: Backlog = { seconds: undefined, bytes: undefined };

/** What all nodes have accepted for a cell and not delivered. A node that doesn’t answer can hold more. */
export function backlogOf(slug: string, nodes: IngestNodes | undefined): Backlog {
  if (nodes === undefined || nodes.length === 0) return UNKNOWN;
  if (nodes.some(({ isAnswering }) => !isAnswering)) return UNKNOWN;
  const spools = nodes.flatMap(node => node.spools.filter(({ cell }) => cell === slug));
  // A node without a spool for the cell has accepted nothing for it.
  const ages = spools.flatMap(({ oldestUnsentSeconds }) => oldestUnsentSeconds ?? []);
  return {
    seconds: ages.length < spools.length ? undefined : Math.max(0, ...ages),
    bytes: spools.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
