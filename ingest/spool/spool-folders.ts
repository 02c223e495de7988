// The folders of a spool: `<cell>/<thread>/`, and `<cell>/requeue-<id>/` for a log of requeued
// segments. Each may have a folder `quarantine`.

import { join } from 'node:path';
import type { FileSystem } from './file-system.ts';

export type LogFolder = {
  readonly cell: string;
  /** The thread's number, or the name of a log of requeued segments. */
  readonly log: string;
  readonly directory: string;
};

export async function listLogFolders(fs: FileSystem, spool: string): Promise<LogFolder[]> {
  const folders: LogFolder[] = [];
  for (const cell of (await fs.list(spool)).sort())
    for (const log of (await fs.list(join(spool, cell))).sort(byNumber))
      if (/^\d+$/.test(log) || isRequeued(log))
        folders.push({ cell, log, directory: join(spool, cell, log) });
  return folders;
}

const REQUEUED = /^requeue-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Whether the log contains requeued segments. IDs sort by time. */
export function isRequeued(log: string): boolean {
  return REQUEUED.test(log);
}

export function requeuedName(id: string): string {
  return `requeue-${id}`;
}

export function quarantineOf(directory: string): string {
  return join(directory, 'quarantine');
}

/** An incomplete requeue, whose source files still exist. */
export function isDraft(name: string): boolean {
  return name.endsWith('.draft');
}

/** Numbers first and in their order, then the names of other logs. */
function byNumber(a: string, b: string): number {
  const difference = Number(a) - Number(b);
  if (!Number.isNaN(difference)) return difference;
  return a < b ? -1 : 1;
}
