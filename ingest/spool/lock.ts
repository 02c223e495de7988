// Two processes must never share a spool. The lock is SQLite's lock on a file, held by the kernel
// for as long as this process lives: a kill -9 releases it, a stale file means nothing, and it
// also holds between containers that share the volume.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export type SpoolLock = { release(): void };

/** Takes the lock of `directory`, or throws an error that says what to do. */
export function lockSpool(directory: string): SpoolLock {
  const database = new DatabaseSync(join(directory, 'lock'));
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!String(error).includes('database is locked')) throw error;
    throw new Error(
      `Another ingest process is using the spool in ${directory}. Stop it, or give this one another DATA_DIR.`,
    );
  }
  return { release: () => database.close() };
}
