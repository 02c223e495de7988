// Counts the contacts in an audience. Each contact is evaluated with the same code as in ingest, so
// the number of contacts that can be examined is limited. Only the traits and segments that the
// audience names leave the database.

import type { EntityManager } from '@mikro-orm/postgresql';
import {
  type Audience,
  compileAudience,
  segmentsOf,
  type Traits,
  traitsOf,
} from '../../schema/campaign/audience.ts';
import { type ConsentStatus, consentReason } from '../../schema/campaign/consent-purposes.ts';
import { conditionsOf } from '../../schema/campaign/rule.ts';
import type { Context } from '../platform/context.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
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
  /** Those of `matching` whom the purpose may be shown to. */
  readonly consenting: number;
  readonly examined: number;
  /** Whether all contacts were examined. */
  readonly isComplete: boolean;
};

type AudienceQuestion = {
  /** Null matches everyone. */
  readonly audience: Audience | null;
  readonly consentPurpose: string;
};

/** Examines the newest contacts first. */
export async function audienceSize(
  context: Context,
  { audience, consentPurpose }: AudienceQuestion,
  examinedMax = EXAMINED_MAX,
): Promise<AudienceSize> {
  const workspaceId = workspaceOf(context.viewer);
  const em = await context.read();
  const isFor = audience === null ? () => true : compileAudience(audience);
  const named = { ...namedBy(audience), consentPurpose };
  const size = { matching: 0, consenting: 0, examined: 0, isComplete: true };
  let read = 0;
  let after: ReadPerson | undefined;
  for (;;) {
    // Reads one more contact than needed, to find out whether more exist.
    const limit = Math.min(PEOPLE_PER_READ, examinedMax - read + 1);
    const people = await readPeople(em, workspaceId, named, limit, after);
    for (const person of people.slice(0, examinedMax - read)) {
      const { traits, segmentIds, consent, isSuppressed } = person;
      if (traits === null) size.isComplete = false;
      else size.examined++;
      if (traits === null || !isFor({ traits, segmentIds: new Set(segmentIds) })) continue;
      size.matching++;
      const reason = consentReason(consentPurpose, consent ?? undefined, isSuppressed);
      if (reason === undefined) size.consenting++;
    }
    read += people.length;
    if (read > examinedMax) return { ...size, isComplete: false };
    if (people.length < limit) return size;
    after = people.at(-1);
  }
}

type Named = {
  readonly traits: readonly string[];
  readonly segmentIds: readonly string[];
  readonly consentPurpose: string;
};

function namedBy(audience: Audience | null): Omit<Named, 'consentPurpose'> {
  if (audience === null) return { traits: [], segmentIds: [] };
  const comparisons = conditionsOf(audience).filter(one => 'trait' in one);
  return { traits: traitsOf(comparisons), segmentIds: segmentsOf(audience) };
}

/** `at` is text, because a Date has no microseconds. */
type ReadPerson = {
  readonly id: string;
  readonly at: string;
  readonly traits: Traits | null;
  readonly segmentIds: readonly string[];
  readonly consent: ConsentStatus | null;
  readonly isSuppressed: boolean;
};

function readPeople(
  em: EntityManager,
  workspaceId: string,
  named: Named,
  limit: number,
  after: ReadPerson | undefined,
): Promise<ReadPerson[]> {
  const isAfter =
    after && sql`AND (created_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)`;
  return rowsOf(
    em,
    sql<ReadPerson>`
      SELECT id, created_at::text AS at,
        CASE WHEN coalesce(octet_length(asked::text), 0) <= ${TRAITS_BYTES_MAX}
          THEN coalesce(asked, '{}') END AS traits,
        ARRAY(
          SELECT segment_id FROM segment_members
          WHERE workspace_id = ${workspaceId} AND segment_members.user_id = contact.user_id
            AND segment_id = ANY(${named.segmentIds}::uuid[])
        ) AS segment_ids,
        (
          SELECT status FROM consents
          WHERE contact_id = contact.id AND purpose = ${named.consentPurpose}
        ) AS consent,
        suppressed_at IS NOT NULL AS is_suppressed
      FROM (
        SELECT id, created_at, user_id, traits, suppressed_at FROM contacts
        WHERE workspace_id = ${workspaceId} ${isAfter ?? sql``}
        ORDER BY created_at DESC, id DESC
        LIMIT ${limit}
      ) AS contact
      CROSS JOIN LATERAL (
        SELECT jsonb_object_agg(name, traits -> name) AS asked FROM unnest(${named.traits}::text[]) AS name
      ) AS part
      ORDER BY created_at DESC, id DESC`,
  );
}
