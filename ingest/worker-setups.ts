import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { BuildInfo } from '../schema/environment/build-info.ts';
import { createRecentIdsMemory } from './accept/recent-ids.ts';
import { assignLogs } from './assign-logs.ts';
import type { Config } from './config.ts';
import { connectionsPerThread } from './http/connections-max.ts';
import { createBudgetMemory } from './spool/budget.ts';
import { readDrainState } from './spool/drain-request.ts';
import { nodeFileSystem } from './spool/file-system.ts';
import type { WorkerSetup } from './thread-messages.ts';

type Node = {
  readonly config: Config;
  readonly build: BuildInfo;
  readonly quotaMemory: SharedArrayBuffer;
  /** The directory of the spool. */
  readonly root: string;
  readonly log: Logger;
};

/** The start data of each worker thread. */
export async function workerSetups(node: Node): Promise<readonly WorkerSetup[]> {
  const { config, build, quotaMemory, root, log } = node;
  const { threads, brokers, clickhouseUrls } = config;
  const cells = Object.keys(clickhouseUrls);
  const takesFrames = brokers === undefined;
  const logs = await assignLogs(join(root, 'spool'), cells, { threads, takesFrames });
  for (const cell of logs.unknownCells)
    log.error({ cell }, 'cell has no CLICKHOUSE_URL_…: its events in the spool are not delivered');
  const shared = {
    config,
    build,
    quotaMemory,
    connectionsMax: connectionsPerThread({ ...config, logs: logs.byThread.flat().length }, log),
    budgetMemory: createBudgetMemory(),
    budgetSlots: Object.fromEntries(cells.map((cell, slot) => [cell, slot])),
    recentIds: createRecentIdsMemory(randomInt(0x7fff_ffff)),
    isRefusing: (await readDrainState(nodeFileSystem, root)) !== 'not requested',
  };
  return logs.byThread.map((ownLogs, index) => ({ ...shared, index, logs: ownLogs }));
}
