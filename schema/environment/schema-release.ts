// Which releases the schema of the databases serves. `npm run migrate` records it, and both programs read it when they start.

type SchemaRelease = {
  /** The latest release that has migrated the databases. */
  readonly release: string;
  /** The oldest release that works on this schema. */
  readonly oldestRelease: string;
};

/** It did not record itself. */
const FIRST_RELEASE: SchemaRelease = { release: '0.1.0', oldestRelease: '0.1.0' };

/** Works in every database, whether it was migrated or not. */
const SCHEMA_TABLES_QUERY = `
  SELECT to_regclass('public.schema_migrations') IS NOT NULL AS "isMigrated",
         to_regclass('public.schema_release') IS NOT NULL AS "isRecorded"`;
const SCHEMA_RELEASE_QUERY =
  'SELECT release, oldest_release AS "oldestRelease" FROM public.schema_release';

type Row = Readonly<Record<string, unknown>>;

/** Undefined if the database was never migrated. */
export async function readSchemaRelease(
  query: (sql: string) => Promise<readonly Row[]>,
): Promise<SchemaRelease | undefined> {
  const [tables] = await query(SCHEMA_TABLES_QUERY);
  if (tables!.isRecorded) {
    const [recorded] = await query(SCHEMA_RELEASE_QUERY);
    if (recorded !== undefined) return recorded as SchemaRelease;
  }
  return tables!.isMigrated ? FIRST_RELEASE : undefined;
}

/** One sentence if this release does not work on the schema. */
export function schemaProblem(own: string, schema: SchemaRelease | undefined): string | undefined {
  if (schema === undefined)
    return `The databases have no schema yet: run \`npm run migrate\` from release ${own}.`;
  if (compareReleases(own, schema.oldestRelease) < 0)
    return (
      `The databases have the schema of release ${schema.release}, which works with release ` +
      `${schema.oldestRelease} or later, but this is release ${own}: start release ${schema.release}.`
    );
  if (compareReleases(own, schema.release) > 0)
    return (
      `The databases have the schema of release ${schema.release}, but this is release ${own}: ` +
      `run \`npm run migrate\` from release ${own}.`
    );
  return undefined;
}

/** Negative if the first one is earlier. */
export function compareReleases(first: string, second: string): number {
  const [a, b] = [numbersOf(first), numbersOf(second)];
  for (const [index, number] of a.entries())
    if (number !== b[index]) return number - (b[index] ?? 0);
  return 0;
}

/** Major, minor and patch. */
function numbersOf(release: string): readonly number[] {
  return release.split(/[.+-]/, 3).map(Number);
}
