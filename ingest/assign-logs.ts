import { join } from 'node:path';
import { nodeFileSystem } from './spool/file-system.ts';
import type { LogAssignment } from './thread-messages.ts';

type LogAssignments = {
  readonly byThread: readonly LogAssignment[][];
  /** Cells that have files in the spool but no ClickHouse address in the configuration. */
  readonly unknownCells: string[];
};

/**
 * Assigns each thread its log of each cell and distributes the logs of threads that no longer exist
 * (after INGEST_THREADS was reduced), so that they are delivered. `takesFrames`: false if new rows go
 * to a replicated log; then only logs with files are assigned.
 */
export async function assignLogs(
  spoolDirectory: string,
  cells: readonly string[],
  { threads, takesFrames }: { threads: number; takesFrames: boolean },
): Promise<LogAssignments> {
  const byThread: LogAssignment[][] = [];
  for (let thread = 0; thread < threads; thread++)
    byThread.push(
      takesFrames
        ? cells.map(cell => {
            return { cell, directory: join(spoolDirectory, cell, String(thread)), takesFrames };
          })
        : [],
    );
  for (const cell of cells) {
    for (const name of await nodeFileSystem.list(join(spoolDirectory, cell))) {
      const former = Number(name);
      if (!Number.isInteger(former) || (takesFrames && former < threads)) continue;
      const directory = join(spoolDirectory, cell, name);
      byThread[former % threads]!.push({ cell, directory, takesFrames: false });
    }
  }
  const found = await nodeFileSystem.list(spoolDirectory);
  return { byThread, unknownCells: found.filter(name => !cells.includes(name)) };
}
