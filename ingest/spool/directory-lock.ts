import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

/**
 * Locks a directory for this process, or returns that another process has it. SQLite uses a kernel
 * lock, which is released when the process ends for any reason, so no stale lock can remain.
 */
export function lockDirectory(directory: string): { release(): void } | 'taken' {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const database = openDatabase(join(directory, 'lock'));
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return 'taken';
    throw error;
  }
  return { release: () => database.close() };
}

const SQLITE_BUSY = 5;

function openDatabase(file: string): DatabaseSync {
  // Loading node:sqlite prints an experimental warning that is of no use to the operator.
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    return new DatabaseSync(file);
  } finally {
    process.emitWarning = emitWarning;
  }
}
