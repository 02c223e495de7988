// Takes up the logs that `npm run spool -- requeue` hands over beside those of the threads: within a
// second on a running node, else at the next start. One at a time in each cell, so that the same
// segment, requeued twice, is asked about before it is sent again. A log whose segments are done and
// no longer kept is removed.

import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { type CellPipeline, TICK_MS } from './cell-pipeline.ts';
import type { FileSystem } from './spool/file-system.ts';
import { isDraft, isRequeued, quarantineOf } from './spool/spool-folders.ts';
import type { LogAssignment } from './thread-messages.ts';

export type RequeuedLogsOptions = {
  readonly fs: FileSystem;
  /** Of the thread that takes them up; it has a log of every cell. */
  readonly logs: readonly LogAssignment[];
  /** The thread's; what is taken up is added. */
  readonly pipelines: CellPipeline[];
  readonly log: Pick<Logger, 'info' | 'error'>;
  open(assignment: LogAssignment): Promise<CellPipeline>;
};

const TICKS_PER_LOOK = 1_000 / TICK_MS;

export class RequeuedLogs {
  private readonly options: RequeuedLogsOptions;
  private readonly opened = new Map<string, CellPipeline>();
  private looking: Promise<void> | undefined;
  private ticks = 0;
  private isStopping = false;

  constructor(options: RequeuedLogsOptions) {
    this.options = options;
  }

  /** Called by a timer, every `TICK_MS`. */
  tick(): void {
    if (this.ticks++ % TICKS_PER_LOOK !== 0) return;
    this.looking ??= this.look().finally(() => {
      this.looking = undefined;
    });
  }

  /** Nothing is taken up any more; what was is among the thread's pipelines. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.looking;
  }

  private async look(): Promise<void> {
    const { logs, log } = this.options;
    for (const { cell, directory, takesFrames } of logs) {
      if (!takesFrames) continue;
      try {
        await this.lookInto(cell, dirname(directory));
      } catch (error) {
        log.error({ cell, error: String(error) }, 'requeued log could not be opened');
      }
    }
  }

  private async lookInto(cell: string, folder: string): Promise<void> {
    const { fs, log, pipelines } = this.options;
    const names = (await fs.list(folder)).filter(isRequeued).sort();
    for (const name of names) {
      if (this.isStopping) return;
      const directory = join(folder, name);
      const known = this.opened.get(directory);
      if (known === undefined) {
        const pipeline = await this.options.open({ cell, directory, takesFrames: false });
        this.opened.set(directory, pipeline);
        pipelines.push(pipeline);
        log.info({ cell, directory, ...pipeline.stats() }, 'requeued log opened');
      } else if (await this.isDone(directory, known)) await this.remove(directory, known);
      // The next one waits for this one.
      if ((this.opened.get(directory)?.stats().unsentBytes ?? 0) > 0) return;
    }
  }

  private async isDone(directory: string, pipeline: CellPipeline): Promise<boolean> {
    const { unsentBytes, retainedBytes } = pipeline.stats();
    if (unsentBytes + retainedBytes > 0) return false;
    const quarantined = await this.options.fs.list(quarantineOf(directory));
    return quarantined.every(isDraft);
  }

  private async remove(directory: string, pipeline: CellPipeline): Promise<void> {
    const { pipelines } = this.options;
    pipelines.splice(pipelines.indexOf(pipeline), 1);
    await pipeline.close(0);
    await rm(directory, { recursive: true });
    this.opened.delete(directory);
  }
}
