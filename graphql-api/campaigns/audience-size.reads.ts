// Counts the contacts in an audience. Each contact is evaluated with the same code as in ingest, so
// the number of contacts that can be examined is limited. Only the traits that the audience
// compares leave the database.

import { type Audience, compileAudience, type Traits } from '../../schema/campaign/audience.ts';
import type { Context } from '../platform/context.ts';
import { numberedSql } from '../platform/database/numbered-sql.ts';
import { workspaceOf } from '../platform/permit.ts';

/** About half a second of work. In a larger workspace, only the newest contacts are examined. */
export const EXAMINED_MAX = 50_000;
/** Limits memory, and how long other requests wait for the CPU. */
const PEOPLE_PER_READ = 1_000;
/** The maximum size of one contact's compared traits. A contact with larger traits is not
 * examined. */
const TRAITS_BYTES_MAX = 16 * 1024;

export type AudienceSize = {
  readonly matching: number;
  readonly examined: number;
  /** Whether all contacts were examined. */
  readonly isComplete: boolean;
};

/** Examines the newest contacts first. A null audience matches everyone. */
export async function audienceSize(
  context: Context,
  audience: Audience | null,
  examinedMax = EXAMINED_MAX,
): Promise<AudienceSize> {
  const workspaceId = workspaceOf(context.viewer);
  const { executeSql } = numberedSql(await context.read());
  const isFor = audience === null ? () => true : compileAudience(audience);
  const names = audience === null ? [] : traitNames(audience);
  const size = { matching: 0, examined: 0, isComplete: true };
  let read = 0;
  let after: readonly (string | null)[] = [null, null];
  for (;;) {
    // Reads one contact more than needed, to learn whether more exist.
    const limit = Math.min(PEOPLE_PER_READ, examinedMax - read + 1);
    const { rows } = await executeSql(READ, [
      workspaceId,
      names,
      TRAITS_BYTES_MAX,
      limit,
      ...after,
    ]);
    for (const { traits } of (rows as Row[]).slice(0, examinedMax - read)) {
      if (traits === null) size.isComplete = false;
      else size.examined++;
      if (traits !== null && isFor(traits)) size.matching++;
    }
    read += rows.length;
    if (read > examinedMax) return { ...size, isComplete: false };
    if (rows.length < limit) return size;
    const last = rows.at(-1) as Row;
    after = [last.at, last.id];
  }
}

/** The names of all traits that the comparisons can read. A path is a trait name or leads into a
 * trait. */
function traitNames(audience: Audience): string[] {
  const paths: string[] = [];
  const collect = (part: Audience): void => {
    if ('and' in part) part.and.forEach(collect);
    else if ('or' in part) part.or.forEach(collect);
    else if ('not' in part) collect(part.not);
    else paths.push(part.trait);
  };
  collect(audience);
  return [...new Set(paths.flatMap(path => [path, path.split('.')[0]!]))];
}

type Row = { readonly id: string; readonly at: string; readonly traits: Traits | null };

const READ = `
  SELECT id, created_at::text AS at,
    CASE WHEN coalesce(octet_length(asked::text), 0) <= $3 THEN coalesce(asked, '{}') END AS traits
  FROM (
    SELECT id, created_at, traits FROM contacts
    WHERE workspace_id = $1
      AND ($5::timestamptz IS NULL OR (created_at, id) < ($5::timestamptz, $6::uuid))
    ORDER BY created_at DESC, id DESC
    LIMIT $4
  ) AS contact
  CROSS JOIN LATERAL (
    SELECT jsonb_object_agg(name, traits -> name) AS asked FROM unnest($2::text[]) AS name
  ) AS part
  ORDER BY created_at DESC, id DESC`;
