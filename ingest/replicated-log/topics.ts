// Creates the topics of a cell if they are missing. An operator may create them beforehand, with more
// partitions or other retention.

import { Admin } from '@platformatic/kafka';
import type { BrokersConfig } from './brokers-config.ts';
import { clientOptions } from './client-options.ts';
import { cellNames } from './topic-names.ts';

/** At least twice the number of inserters, and enough to spread the threads of several nodes. */
const PARTITIONS = 12;
const REPLICAS_MAX = 3;
/** The default of 1 MiB is smaller than the largest rows of a request with their header. */
export const RECORD_BYTES_MAX = 4 * 1024 * 1024;
const RETENTION_MS = 7 * 24 * 60 * 60 * 1000;

/** Rejects if the cluster is unreachable or refuses the request. */
export async function ensureTopics(
  config: BrokersConfig,
  cells: readonly string[],
  turn: number,
): Promise<void> {
  const admin = new Admin({ ...clientOptions(config, 'engagement-ingest', turn), retries: 0 });
  try {
    const wanted = cells.flatMap(cell => {
      const { rows, outbox, openBlocks } = cellNames(config.prefix, cell);
      return [rows, outbox, openBlocks];
    });
    const existing = new Set(await admin.listTopics());
    const missing = wanted.filter(topic => !existing.has(topic));
    if (missing.length === 0) return;
    const { brokers } = await admin.metadata({ topics: [] });
    const replicas = Math.min(REPLICAS_MAX, brokers.size);
    await admin.createTopics({
      topics: missing,
      partitions: PARTITIONS,
      replicas,
      configs: [
        // One replica fewer than all, so that one broker can be unavailable.
        { name: 'min.insync.replicas', value: String(Math.max(1, replicas - 1)) },
        { name: 'unclean.leader.election.enable', value: 'false' },
        { name: 'max.message.bytes', value: String(RECORD_BYTES_MAX) },
        { name: 'retention.ms', value: String(RETENTION_MS) },
        { name: 'cleanup.policy', value: 'delete' },
      ],
    });
  } finally {
    await admin.close();
  }
}
