// Reads from the metrics of ingest nodes how much data on their disks is not in the warehouse yet. A
// spool contains the rows of all tenants of a cell; there are no values per tenant.

import type { Logger } from 'pino';

export type Spool = {
  readonly cell: string;
  readonly bytes: number;
  /**
   * The age of the oldest row that is not in the warehouse; undefined if the node does not know it, for
   * example while no broker of the log responds. Rows for Postgres are not included.
   */
  readonly oldestUnsentSeconds: number | undefined;
  /** Undefined if the node has not checked yet. */
  readonly quarantine: Quarantine | undefined;
};

/** Files that could not be delivered, kept on disk for an operator. */
type Quarantine = {
  readonly files: number;
  readonly bytes: number;
  readonly oldestSeconds: number;
};

export type IngestNode = {
  /** The position in the configuration, starting at 1. */
  readonly number: number;
  readonly isAnswering: boolean;
  readonly spools: readonly Spool[];
};

type IngestNodesAnswer = {
  readonly nodes: readonly IngestNode[];
  readonly askedAtMs: number;
};

export type IngestNodes = {
  /** Returns all configured nodes. Results are shared for one second. */
  ask(): Promise<IngestNodesAnswer>;
};

type IngestNodesOptions = {
  readonly urls: readonly string[];
  readonly clock: { nowMs(): number };
  readonly log: Pick<Logger, 'info' | 'warn'>;
};

/** A node aggregates the metrics of its threads for each request. */
const ANSWER_TIMEOUT_MS = 2_000;
/** Each node is queried about once in this time, for any number of clients. */
const SHARED_MS = 1_000;

export function createIngestNodes({ urls, clock, log }: IngestNodesOptions): IngestNodes {
  const silent = new Set<string>();
  let asked: Promise<IngestNodesAnswer> | undefined;

  async function askNode(url: string, number: number): Promise<IngestNode> {
    try {
      const spools = spoolsIn(await metricsOf(url));
      if (silent.delete(url)) log.info({ number }, 'ingest node is responding again');
      return { number, isAnswering: true, spools };
    } catch (error) {
      if (!silent.has(url))
        log.warn({ reason: (error as Error).message, number }, 'ingest node is not responding');
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
  if (answer.status !== 200) throw new Error(`ingest responded with status ${answer.status}`);
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
    const oldestSeconds = value('spool_oldest_unsent_seconds');
    return {
      cell,
      bytes: value('spool_bytes'),
      oldestUnsentSeconds: Number.isNaN(oldestSeconds) ? undefined : oldestSeconds,
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

/** Label values have only letters, digits, hyphens and underscores, so nothing is escaped. */
function labelOf(labels: string, name: string): string | undefined {
  return new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1];
}
