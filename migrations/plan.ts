// The pending migrations, read from the databases without changing them.

import type { AppliedFile, SqlFile } from './sql-files.ts';
import { label, pendingFiles } from './sql-files.ts';

/** The migrations applied to a database, and those of this version. */
export type Plan = {
  /** For example Postgres, or ClickHouse of cell default. */
  readonly where: string;
  readonly pending: readonly SqlFile[];
  /** Applied by a later version: this one has no such files. */
  readonly later: readonly AppliedFile[];
};

/** Refuses a file that changed after it was applied. */
export function planOf(
  where: string,
  files: readonly SqlFile[],
  applied: readonly AppliedFile[],
): Plan {
  const known = new Set(files.map(({ version }) => version));
  return {
    where,
    pending: pendingFiles(files, applied, where),
    later: applied.filter(({ version }) => !known.has(version)),
  };
}

/** One line for each file that would be applied. */
export function planInWords({ where, pending }: Plan): string[] {
  if (pending.length === 0) return [`${where}: up to date`];
  return pending.map(file => `${where}: would apply ${label(file)}`);
}

/** Undefined where no later version was here. */
export function laterInWords(plans: readonly Plan[]): string | undefined {
  const found = plans.flatMap(({ where, later }) => later.map(file => `${label(file)} (${where})`));
  if (found.length === 0) return undefined;
  return `The databases have migrations of a later version, unknown to this one: ${found.join(', ')}.`;
}
