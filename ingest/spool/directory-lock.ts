import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

/**
 * Takes a directory for this process alone, or says that another has it. SQLite's lock is one of
 * the kernel's: it ends with the process however that dies, so no stale lock is ever left.
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
  // Loading node:sqlite prints a warning that it is experimental; a user can do nothing about it.
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    return new DatabaseSync(file);
  } finally {
    process.emitWarning = emitWarning;
  }
}
