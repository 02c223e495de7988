// Opens the logs created by `npm run spool -- requeue`: within a second on a running node,
// otherwise at the next start. Only one at a time per cell, so that a segment that was requeued
// twice is looked up in ClickHouse before it is sent again. A log is removed when its segments are
// delivered and their retention has ended.

import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { type CellPipeline, TICK_MS } from './cell-pipeline.ts';
import type { FileSystem } from './spool/file-system.ts';
import { isDraft, isRequeued, quarantineOf } from './spool/spool-folders.ts';
import type { LogAssignment } from './thread-messages.ts';

type RequeuedLogsOptions = {
  readonly fs: FileSystem;
  /** The pipelines of the thread that opens them, which has a log for every cell. */
  readonly logs: readonly LogAssignment[];
  /** The thread's pipelines. Opened logs are added to it. */
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

  /** Called by a timer every `TICK_MS`. */
  tick(): void {
    if (this.ticks++ % TICKS_PER_LOOK !== 0) return;
    this.looking ??= this.look().finally(() => {
      this.looking = undefined;
    });
  }

  /** Opens no further logs. Open ones are among the thread's pipelines. */
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
      // The next log waits for this one.
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
