// What ingest's nodes have on disk that is not in the warehouse yet, by their own metrics. A spool is
// that of a cell, of all its tenants together: nothing of it is known of one of them alone.

import { permitted } from '../access/permit.ts';
import type { Context } from '../context.ts';

export type Spool = {
  readonly cell: string;
  readonly bytes: number;
  readonly oldestUnsentSeconds: number;
};

export type IngestNode = {
  /** In the order of the configuration, from 1. */
  readonly number: number;
  readonly isAnswering: boolean;
  readonly spools: readonly Spool[];
};

/** A node adds up its threads' metrics for each question. */
const ANSWER_TIMEOUT_MS = 2_000;
const SAMPLE = /^ingest_spool_(bytes|oldest_unsent_seconds)\{cell="([^"]+)"\} (\S+)$/gm;

export function ingestNodes(context: Context): Promise<IngestNode[]> {
  permitted(context.viewer, 'platformAdmin');
  const { config, log } = context.deps;
  return Promise.all(
    config.ingestNodeUrls.map(async (url, at) => {
      const number = at + 1;
      try {
        return { number, isAnswering: true, spools: spoolsIn(await metricsOf(url)) };
      } catch (error) {
        log.warn({ reason: (error as Error).message, number }, 'a node of ingest does not answer');
        return { number, isAnswering: false, spools: [] };
      }
    }),
  );
}

async function metricsOf(url: string): Promise<string> {
  const answer = await fetch(new URL('/metrics', url), {
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`ingest answers ${answer.status}`);
  return text;
}

function spoolsIn(metrics: string): Spool[] {
  const spools = new Map<string, Spool>();
  for (const [, name, cell, value] of metrics.matchAll(SAMPLE)) {
    const known = spools.get(cell!) ?? { cell: cell!, bytes: 0, oldestUnsentSeconds: 0 };
    const field = name === 'bytes' ? 'bytes' : 'oldestUnsentSeconds';
    spools.set(cell!, { ...known, [field]: Number(value) });
  }
  return [...spools.values()];
}
