import { rowsOf, sql } from '../platform/database/kysely.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { type ContactUpsert, TRAITS_BYTES_MAX } from './contact.contract.ts';

/**
 * Creates or updates a contact, as `identify` does: traits in the input replace traits of the same
 * name. Postgres merges them, so that numbers that no double can hold keep their digits. The audit
 * log contains the names of changed traits, never their values.
 */
export async function contactUpsert(
  { em, viewer, deps, audit }: ActionScope,
  input: ContactUpsert,
): Promise<{ readonly id: string }> {
  const { userId, anonymousId = null, traits, removeTraits } = input;
  requireDistinct(input);
  const workspaceId = workspaceOf(viewer);
  const now = new Date(deps.clock.nowMs());
  const set = sql`${JSON.stringify(traits ?? {})}::jsonb`;
  const merged = sql`((traits || ${set}) - ${removeTraits ?? []}::text[])`;
  const added = await rowsOf(
    em,
    sql`
      INSERT INTO contacts (workspace_id, user_id, id, created_at)
      VALUES (${workspaceId}, ${userId}, ${deps.newId()}, ${now})
      ON CONFLICT (workspace_id, user_id) DO NOTHING RETURNING id`,
  );
  // Locks the row and reads its current values.
  const [compared] = await rowsOf(
    em,
    sql<Compared>`
      SELECT id, octet_length(traits::text) AS before, octet_length(${merged}::text) AS after,
        ARRAY(
          SELECT 'traits.' || key
          FROM jsonb_object_keys(traits || ${set}) AS key
          WHERE (traits -> key) IS DISTINCT FROM (${merged} -> key)
          UNION ALL
          SELECT 'anonymousId'
          WHERE ${anonymousId}::text IS NOT NULL AND anonymous_id IS DISTINCT FROM ${anonymousId}
        ) AS names
      FROM contacts WHERE workspace_id = ${workspaceId} AND user_id = ${userId}
      FOR NO KEY UPDATE`,
  );
  const { id, names, before, after } = compared!;
  const isNew = added.length > 0;
  if (!isNew && names.length === 0) return { id };
  if (after > TRAITS_BYTES_MAX && after > before) reject('TRAITS_TOO_LARGE', { field: ['traits'] });
  await rowsOf(
    em,
    sql`
      UPDATE contacts SET traits = ${merged},
        anonymous_id = coalesce(${anonymousId}, anonymous_id),
        traits_at = greatest(traits_at, ${now}::timestamptz),
        updated_at = ${now}
      WHERE id = ${id}`,
  );
  await audit({
    action: isNew ? 'contact.create' : 'contact.update',
    subjectId: id,
    after: { changed: names },
  });
  return { id };
}

type Compared = {
  readonly id: string;
  /** The names of the changed traits, and `anonymousId` if it changes. */
  readonly names: readonly string[];
  /** The sizes of the traits, in bytes. */
  readonly before: number;
  readonly after: number;
};

function requireDistinct({ traits, removeTraits }: ContactUpsert): void {
  const both = removeTraits?.find(name => Object.hasOwn(traits ?? {}, name));
  if (both === undefined) return;
  const message = `removeTraits: ${both} must not also be in traits.`;
  reject('BAD_USER_INPUT', { field: ['removeTraits'], message });
}
