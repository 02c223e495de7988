// The pending migrations, read from the databases without changing them.

import type { Hazard } from './hazard.ts';
import type { AppliedFile, SqlFile } from './sql-files.ts';
import { label, pendingFiles } from './sql-files.ts';
import { sizeInWords, type TableSizes } from './table-sizes.ts';

/** The migrations applied to a database, and those of this version. */
export type Plan = {
  /** For example Postgres, or ClickHouse of cell default. */
  readonly where: string;
  readonly pending: readonly SqlFile[];
  /** Applied by a later version; this version does not have these files. */
  readonly later: readonly AppliedFile[];
  /** Of the pending files. */
  readonly hazards: readonly Hazard[];
  /** Of the tables that exist. */
  readonly sizes: TableSizes;
};

type Database = {
  readonly where: string;
  readonly files: readonly SqlFile[];
  readonly applied: readonly AppliedFile[];
  readonly sizes: TableSizes;
  /** Finds the hazards of the pending files; `earlier` are the files before them. */
  readonly findHazards: (
    pending: readonly SqlFile[],
    earlier: readonly SqlFile[],
    existing: ReadonlySet<string>,
  ) => readonly Hazard[];
};

/** Refuses a file that changed after it was applied. */
export function planOf({ where, files, applied, sizes, findHazards }: Database): Plan {
  const known = new Set(files.map(({ version }) => version));
  const pending = pendingFiles(files, applied, where);
  const earlier = files.filter(file => !pending.includes(file));
  return {
    where,
    pending,
    later: applied.filter(({ version }) => !known.has(version)),
    hazards: findHazards(pending, earlier, new Set(sizes.keys())),
    sizes,
  };
}

/** One line for each file that would be applied, and below it one for each hazard. */
export function planInWords({ where, pending, hazards, sizes }: Plan): string[] {
  if (pending.length === 0) return [`${where}: up to date`];
  return pending.flatMap(file => [
    `${where}: would apply ${label(file)}`,
    ...hazards
      .filter(hazard => hazard.file === file)
      .map(hazard => `  warning: ${warning(hazard, sizes)}`),
  ]);
}

function warning({ table, what, statement, accepted }: Hazard, sizes: TableSizes): string {
  const bytes = table === undefined ? undefined : sizes.get(table);
  const size = bytes === undefined ? '' : ` (${sizeInWords(bytes)})`;
  const of = table === undefined ? '' : `${table}${size}: `;
  const reason = accepted === undefined ? '' : ` Accepted: ${accepted}`;
  return `${of}${what}. ${statement}${reason}`;
}

/** Undefined if no later version has migrated the database. */
export function laterInWords(plans: readonly Plan[]): string | undefined {
  const found = plans.flatMap(({ where, later }) => later.map(file => `${label(file)} (${where})`));
  if (found.length === 0) return undefined;
  return `The databases have migrations from a later version that this version does not know: ${found.join(', ')}.`;
}
