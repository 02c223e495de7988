// Opens the logs that a worker thread writes to and delivers from: spool logs and, with brokers, logs
// of theirs.

import type { Logger } from 'pino';
import { v7 as uuidV7 } from 'uuid';
import { CellPipeline } from './cell-pipeline.ts';
import type { Clock } from './clock.ts';
import { connectCell } from './insert/connect-cell.ts';
import { RETAINED_SHARE_MAX } from './limits.ts';
import type { Metrics } from './observe/metrics.ts';
import type { ThreadDatabase } from './postgres/thread-database.ts';
import type { BrokerLog } from './replicated-log/broker-log.ts';
import { SpoolBudget } from './spool/budget.ts';
import { nodeFileSystem } from './spool/file-system.ts';
import type { LogAssignment, WorkerSetup } from './thread-messages.ts';

type LogDeps = {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly database: ThreadDatabase;
};

export function logOpeners(
  { config, budgetSlots, budgetMemory }: WorkerSetup,
  { clock, metrics, log, database }: LogDeps,
) {
  const budgets = new Map(
    Object.entries(budgetSlots).map(([cell, slot]) => {
      return [cell, new SpoolBudget(budgetMemory, slot, config.spoolBytesMax)];
    }),
  );
  return {
    budgets,
    openPipeline: ({ cell, directory, takesFrames }: LogAssignment): Promise<CellPipeline> =>
      CellPipeline.open({
        cell,
        directory,
        takesFrames,
        fs: nodeFileSystem,
        clock,
        random: Math.random,
        newId: uuidV7,
        clickhouse: connectCell(config.clickhouseUrls[cell]!, {
          quorum: config.insertQuorums[cell] ?? 1,
          monotonicMs: () => clock.monotonicMs(),
        }),
        outboxLink: database.outbox,
        budget: budgets.get(cell)!,
        retainedBytesMax: (config.spoolBytesMax * RETAINED_SHARE_MAX) / config.threads,
        metrics,
        log,
      }),
    /** The client of the brokers takes more than a second of CPU to load, so it is loaded only if used. */
    openLogs: async (): Promise<readonly BrokerLog[]> => {
      if (config.brokers === undefined) return [];
      const { openBrokerLogs } = await import('./replicated-log/open-broker-logs.ts');
      return openBrokerLogs(config.brokers, config, { clock, metrics, log });
    },
  };
}
