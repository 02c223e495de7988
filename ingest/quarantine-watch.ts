// Counts the quarantined files of all logs of all cells from the disk, so that neither a restart
// nor a cell that is no longer configured hides them.

import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import { Polling } from './polling.ts';
import type { FileSystem } from './spool/file-system.ts';
import { isDraft, listLogFolders, quarantineOf } from './spool/spool-folders.ts';

export type Quarantined = {
  readonly files: number;
  readonly bytes: number;
  /** When the oldest file was written, in milliseconds since 1970; undefined if there are none. */
  readonly oldestAtMs: number | undefined;
};

export type QuarantinedByCell = Readonly<Record<string, Quarantined>>;

type QuarantineWatchOptions = {
  readonly fs: FileSystem;
  readonly spool: string;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'error'>;
  /** Called with the first count and after each change. */
  readonly onChange: (byCell: QuarantinedByCell) => void;
};

/** Quarantine needs a human, so a slow interval is sufficient. */
const INTERVAL_MS = 2_000;

export function watchQuarantine(options: QuarantineWatchOptions): Polling {
  const { fs, spool, clock, log, onChange } = options;
  let told = '';
  return new Polling({
    intervalMs: INTERVAL_MS,
    clock,
    look: async () => {
      const byCell = await countQuarantined(fs, spool);
      const text = JSON.stringify(byCell);
      if (text !== told) onChange(byCell);
      told = text;
      return true;
    },
    onFailure: error => log.error({ error: String(error) }, 'quarantine scan failed'),
  });
}

async function countQuarantined(fs: FileSystem, spool: string): Promise<QuarantinedByCell> {
  const byCell: Record<string, Quarantined> = {};
  for (const { cell, directory } of await listLogFolders(fs, spool)) {
    const folder = quarantineOf(directory);
    const names = (await fs.list(folder)).filter(name => !isDraft(name));
    const found = await Promise.all(names.map(name => statsOf(join(folder, name))));
    byCell[cell] = found
      .filter(stats => stats !== undefined)
      .reduce(withFile, byCell[cell] ?? NONE);
  }
  return byCell;
}

const NONE: Quarantined = { files: 0, bytes: 0, oldestAtMs: undefined };

function withFile({ files, bytes, oldestAtMs }: Quarantined, stats: Stats): Quarantined {
  return {
    files: files + 1,
    bytes: bytes + stats.size,
    oldestAtMs: Math.min(oldestAtMs ?? stats.mtimeMs, stats.mtimeMs),
  };
}

/** Undefined if the file was requeued in the meantime. */
async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
