import { numberedSql } from '../platform/database/numbered-sql.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { type ContactUpsert, TRAITS_BYTES_MAX } from './contact.contract.ts';

/**
 * Creates or updates a contact, as `identify` does: traits in the input replace traits of the same
 * name. Postgres merges them, so that numbers that no double can hold keep their digits. The audit
 * log has the names of changed traits, never their values.
 */
export async function contactUpsert(
  { em, viewer, deps, audit }: ActionScope,
  input: ContactUpsert,
): Promise<{ readonly id: string }> {
  const { userId, anonymousId = null, traits, removeTraits } = input;
  requireDistinct(input);
  const { executeSql } = numberedSql(em);
  const person = [workspaceOf(viewer), userId];
  const change = [JSON.stringify(traits ?? {}), removeTraits ?? []];
  const added = await executeSql(ADD, [...person, deps.newId()]);
  const compared = await executeSql(COMPARE, [...person, ...change, anonymousId]);
  const { id, names, before, after } = compared.rows[0] as Compared;
  const isNew = added.rows.length > 0;
  if (!isNew && names.length === 0) return { id };
  if (after > TRAITS_BYTES_MAX && after > before) reject('TRAITS_TOO_LARGE', { field: ['traits'] });
  const now = new Date(deps.clock.nowMs());
  await executeSql(UPDATE, [id, ...change, anonymousId, now]);
  await audit({
    action: isNew ? 'contact.create' : 'contact.update',
    subjectType: 'contact',
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

const ADD = `
  INSERT INTO contacts (workspace_id, user_id, id) VALUES ($1, $2, $3)
  ON CONFLICT (workspace_id, user_id) DO NOTHING RETURNING id`;

const merged = (traits: string, set: number) =>
  `((${traits} || $${set}::jsonb) - $${set + 1}::text[])`;

// Locks the row and reads its current values.
const COMPARE = `
  SELECT id, octet_length(traits::text) AS before,
    octet_length(${merged('traits', 3)}::text) AS after,
    ARRAY(
      SELECT 'traits.' || key
      FROM jsonb_object_keys(traits || $3::jsonb) AS key
      WHERE (traits -> key) IS DISTINCT FROM (${merged('traits', 3)} -> key)
      UNION ALL
      SELECT 'anonymousId' WHERE $5::text IS NOT NULL AND anonymous_id IS DISTINCT FROM $5
    ) AS names
  FROM contacts WHERE workspace_id = $1 AND user_id = $2
  FOR NO KEY UPDATE`;

const UPDATE = `
  UPDATE contacts SET traits = ${merged('traits', 2)},
    anonymous_id = coalesce($4, anonymous_id),
    traits_at = greatest(traits_at, $5::timestamptz),
    updated_at = $5
  WHERE id = $1`;
