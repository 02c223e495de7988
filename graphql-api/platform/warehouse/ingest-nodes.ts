// What ingest's nodes have on disk that is not in the warehouse yet, by their own metrics. A spool is
// that of a cell, of all its tenants together: nothing of it is known of one of them alone.

import type { Logger } from 'pino';

export type Spool = {
  readonly cell: string;
  readonly bytes: number;
  /** Of what is not in the warehouse yet; what waits only for Postgres does not count. */
  readonly oldestUnsentSeconds: number;
  /** Undefined where the node has not looked yet. */
  readonly quarantine: Quarantine | undefined;
};

/** What could not be delivered, and is kept on disk until an operator has seen to it. */
export type Quarantine = {
  readonly files: number;
  readonly bytes: number;
  readonly oldestSeconds: number;
};

export type IngestNode = {
  /** In the order of the configuration, from 1. */
  readonly number: number;
  readonly isAnswering: boolean;
  readonly spools: readonly Spool[];
};

export type IngestNodesAnswer = {
  readonly nodes: readonly IngestNode[];
  readonly askedAtMs: number;
};

export type IngestNodes = {
  /** All that are configured. Whoever asks within a second of the last answer is given that one. */
  ask(): Promise<IngestNodesAnswer>;
};

export type IngestNodesOptions = {
  readonly urls: readonly string[];
  readonly clock: { nowMs(): number };
  readonly log: Pick<Logger, 'info' | 'warn'>;
};

/** A node adds up its threads' metrics for each question. */
const ANSWER_TIMEOUT_MS = 2_000;
/** However many look at a page, each node is asked about once in this time. */
const SHARED_MS = 1_000;

export function createIngestNodes({ urls, clock, log }: IngestNodesOptions): IngestNodes {
  const silent = new Set<string>();
  let asked: Promise<IngestNodesAnswer> | undefined;

  async function askNode(url: string, number: number): Promise<IngestNode> {
    try {
      const spools = spoolsIn(await metricsOf(url));
      if (silent.delete(url)) log.info({ number }, 'a node of ingest answers again');
      return { number, isAnswering: true, spools };
    } catch (error) {
      if (!silent.has(url))
        log.warn({ reason: (error as Error).message, number }, 'a node of ingest does not answer');
      silent.add(url);
      return { number, isAnswering: false, spools: [] };
    }
  }

  async function askAll(): Promise<IngestNodesAnswer> {
    const askedAtMs = clock.nowMs();
    const nodes = await Promise.all(urls.map((url, at) => askNode(url, at + 1)));
    return { nodes, askedAtMs };
  }

  return {
    ask() {
      asked ??= askAll().finally(() => {
        setTimeout(() => {
          asked = undefined;
        }, SHARED_MS).unref();
      });
      return asked;
    },
  };
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

const SAMPLE = /^ingest_(spool|quarantine)_([a-z_]+)\{([^}]*)\} (\S+)$/gm;

function spoolsIn(metrics: string): Spool[] {
  const byCell = new Map<string, Map<string, number>>();
  for (const [, of, name, labels, value] of metrics.matchAll(SAMPLE)) {
    const [cell, reader] = [labelOf(labels!, 'cell'), labelOf(labels!, 'reader')];
    if (cell === undefined || reader === 'outbox') continue;
    const values = byCell.get(cell) ?? new Map<string, number>();
    byCell.set(cell, values.set(`${of}_${name}`, Number(value)));
  }
  return Array.from(byCell, ([cell, values]) => {
    const value = (name: string) => values.get(name) ?? 0;
    return {
      cell,
      bytes: value('spool_bytes'),
      oldestUnsentSeconds: value('spool_oldest_unsent_seconds'),
      quarantine: values.has('quarantine_files')
        ? {
            files: value('quarantine_files'),
            bytes: value('quarantine_bytes'),
            oldestSeconds: value('quarantine_oldest_seconds'),
          }
        : undefined,
    };
  });
}

/** Ours are of letters, digits, hyphens and underscores: nothing in them is escaped. */
function labelOf(labels: string, name: string): string | undefined {
  return new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1];
}
