// Reads the people who request campaigns from Postgres, in one indexed statement for many requests:
// the contact with traits and consents, the segments that the person is a member of, earlier
// exposures, widgets queued by journeys, and the caps of the workspace.

import { WINDOW_SECONDS_MAX } from './campaign.ts';
import type { Exposure, Person, WorkspaceCaps } from './campaign-gates.ts';
import type { ConsentStatus } from './consent-purposes.ts';

export type PersonQuestion = {
  readonly workspaceId: string;
  /** The contact ID or the application's user ID; empty if the header was not sent. */
  readonly contactId: string;
  /** The application's user ID; empty if the header was not sent. */
  readonly userId: string;
  readonly nowMs: number;
};

export type QueuedWidget = {
  readonly id: string;
  readonly campaignId: string;
  readonly name: string;
  readonly type: string;
  readonly surfaces: readonly string[];
  /** JSON text. */
  readonly content: string;
  readonly priority: number;
  readonly variantId: string | null;
  readonly consentPurpose: string;
  readonly isCapExempt: boolean;
  readonly expiresAtMs: number | null;
  readonly queuedAtMs: number;
};

type KnownPerson = {
  readonly person: Person;
  readonly widgets: readonly QueuedWidget[];
  readonly caps: WorkspaceCaps;
};

/** The part of the driver's client that it uses. */
export type PersonReader = {
  query<R extends Record<string, unknown>>(statement: {
    readonly text: string;
    readonly values: unknown[];
  }): Promise<{ readonly rows: R[] }>;
};

/** Returns one result per question, in the same order. */
export async function readPersons(
  client: PersonReader,
  questions: readonly PersonQuestion[],
): Promise<KnownPerson[]> {
  const contactIds = questions.map(({ contactId }) => contactId);
  const { rows } = await client.query<Row>({
    text: READ_PERSONS,
    values: [
      questions.map(({ workspaceId }) => workspaceId),
      contactIds.map(id => (UUID.test(id) ? id : null)),
      contactIds,
      questions.map(({ userId }) => userId),
      questions.map(({ nowMs }) => new Date(nowMs)),
    ],
  });
  const answers = Array.from<KnownPerson>({ length: questions.length });
  for (const row of rows) answers[row.number - 1] = toKnownPerson(row);
  return answers;
}

/** Ten a day for five years; reading them takes a few milliseconds. */
export const EXPOSURES_MAX = 20_000;
/** Twice as many as a response includes. */
const WIDGETS_MAX = 100;

/**
 * A contact named by X-Contact-ID takes precedence over one named by X-User-ID. A person without a
 * contact is identified by the application's user ID. Exposures are read in index order, up to the
 * limit; widgets by highest priority first.
 */
export const READ_PERSONS = `
  SELECT asked.number::int AS number, person.user_id AS "userId", contact.traits,
    contact.suppressed_at IS NOT NULL AS "isSuppressed",
    workspaces.in_app_daily_max AS "dailyMax",
    workspaces.in_app_interval_seconds_min AS "intervalSecondsMin",
    (
      SELECT json_object_agg(purpose, status) FROM consents
      WHERE contact_id = contact.id AND workspace_id = asked.workspace_id
    ) AS consents,
    ARRAY(
      SELECT segment_id FROM segment_members
      WHERE workspace_id = asked.workspace_id AND user_id = person.user_id
    ) AS "segmentIds",
    (
      SELECT json_agg(json_build_array(campaign_id, total, impressions, last_ms, recent_ms,
                                       is_clicked, is_dismissed))
      FROM (
        SELECT campaign_id, count(*) AS total,
          count(*) FILTER (WHERE event_type = 'impression') AS impressions,
          max(at_ms) FILTER (WHERE event_type = 'impression') AS last_ms,
          array_agg(at_ms) FILTER (WHERE event_type = 'impression' AND is_recent) AS recent_ms,
          bool_or(event_type = 'clicked') AS is_clicked,
          bool_or(event_type = 'dismissed') AS is_dismissed
        FROM (
          SELECT campaign_id, event_type, (extract(epoch FROM occurred_at) * 1000)::int8 AS at_ms,
            occurred_at > asked.at - make_interval(secs => ${WINDOW_SECONDS_MAX}) AS is_recent
          FROM exposures
          WHERE workspace_id = asked.workspace_id AND user_id = person.user_id
          ORDER BY workspace_id, user_id, campaign_id, event_type, occurred_at
          LIMIT ${EXPOSURES_MAX + 1}
        ) AS exposure
        GROUP BY campaign_id
      ) AS by_campaign
    ) AS exposures,
    (
      SELECT json_agg(queued) FROM (
        SELECT id, campaign_id AS "campaignId", name, type, surfaces, content::text AS content,
          priority, variant_id AS "variantId", consent_purpose AS "consentPurpose",
          is_cap_exempt AS "isCapExempt",
          (extract(epoch FROM nullif(expires_at, 'infinity')) * 1000)::int8 AS "expiresAtMs",
          (extract(epoch FROM queued_at) * 1000)::int8 AS "queuedAtMs"
        FROM widget_step_executions
        WHERE workspace_id = asked.workspace_id AND user_id = person.user_id
          AND state IN ('QUEUED', 'SERVED', 'VIEWED')
          AND (expires_at IS NULL OR expires_at > asked.at)
        ORDER BY widget_step_executions.priority DESC, queued_at, id
        LIMIT ${WIDGETS_MAX}
      ) AS queued
    ) AS widgets
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[]) WITH ORDINALITY
    AS asked (workspace_id, contact_id, contact_text, user_id, at, number)
  JOIN workspaces ON workspaces.id = asked.workspace_id
  LEFT JOIN LATERAL (
    SELECT id, user_id, traits, suppressed_at, 1 AS place FROM contacts
    WHERE id = asked.contact_id AND workspace_id = asked.workspace_id
    UNION ALL
    SELECT id, user_id, traits, suppressed_at, 2 FROM contacts
    WHERE workspace_id = asked.workspace_id AND user_id = asked.contact_text
    UNION ALL
    SELECT id, user_id, traits, suppressed_at, 3 FROM contacts
    WHERE workspace_id = asked.workspace_id AND user_id = asked.user_id
    ORDER BY place
    LIMIT 1
  ) AS contact ON true
  CROSS JOIN LATERAL (
    SELECT coalesce(contact.user_id, nullif(asked.user_id, ''), asked.contact_text) AS user_id
  ) AS person`;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Row = {
  readonly number: number;
  readonly userId: string;
  readonly traits: Record<string, unknown> | null;
  readonly isSuppressed: boolean;
  readonly dailyMax: number | null;
  readonly intervalSecondsMin: number | null;
  readonly consents: Readonly<Record<string, ConsentStatus>> | null;
  readonly segmentIds: readonly string[];
  readonly exposures: readonly ExposureRow[] | null;
  readonly widgets: readonly QueuedWidget[] | null;
};

type ExposureRow = readonly [
  campaignId: string,
  total: number,
  impressions: number,
  lastMs: number | null,
  recentMs: readonly number[] | null,
  isClicked: boolean,
  isDismissed: boolean,
];

function toKnownPerson(row: Row): KnownPerson {
  const exposures = new Map<string, Exposure>();
  let read = 0;
  for (const [campaignId, total, ...of] of row.exposures ?? []) {
    const [impressions, lastMs, recentMs, isClicked, isDismissed] = of;
    read += total;
    exposures.set(campaignId, {
      impressions,
      lastImpressionMs: lastMs ?? undefined,
      recentMs: recentMs ?? [],
      isClicked,
      isDismissed,
    });
  }
  const person = {
    userId: row.userId,
    traits: row.traits ?? {},
    segmentIds: new Set(row.segmentIds),
    isSuppressed: row.isSuppressed,
    consents: new Map(Object.entries(row.consents ?? {})),
    exposures,
    isHistoryCut: read > EXPOSURES_MAX,
  };
  const { dailyMax, intervalSecondsMin } = row;
  return { person, widgets: row.widgets ?? [], caps: { dailyMax, intervalSecondsMin } };
}
