// Reads the people who request campaigns from Postgres, in one call of a function for many requests:
// the contact with traits and consents, the segments that the person is a member of, earlier
// exposures, widgets queued by journeys, and the caps of the workspace.

import { isUuid } from '../values/uuid.ts';
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
type PersonReader = {
  query<R extends Record<string, unknown>>(statement: {
    readonly text: string;
    readonly values: unknown[];
  }): Promise<{ readonly rows: R[] }>;
};

/** Returns one result per question, in the same order; undefined if there is no such workspace. */
export async function readPersons(
  client: PersonReader,
  questions: readonly PersonQuestion[],
): Promise<(KnownPerson | undefined)[]> {
  return (await readPersonTexts(client, questions)).map(parsePerson);
}

/**
 * Returns one text per question, in the same order, so that ingest can parse each in the thread of
 * its request; undefined if there is no such workspace. `0073_read_persons.sql` has the function.
 */
export async function readPersonTexts(
  client: PersonReader,
  questions: readonly PersonQuestion[],
): Promise<(string | undefined)[]> {
  const contactIds = questions.map(({ contactId }) => contactId);
  const { rows } = await client.query<{ number: number; text: string }>({
    text: `SELECT number, row_to_json(person)::text AS text
           FROM read_persons($1, $2, $3, $4, $5, $6, $7, $8) AS person`,
    values: [
      questions.map(({ workspaceId }) => workspaceId),
      contactIds.map(id => (isUuid(id) ? id : null)),
      contactIds,
      questions.map(({ userId }) => userId),
      questions.map(({ nowMs }) => new Date(nowMs)),
      WINDOW_SECONDS_MAX,
      EXPOSURES_MAX,
      WIDGETS_MAX,
    ],
  });
  const texts = Array.from<string | undefined>({ length: questions.length });
  for (const { number, text } of rows) texts[number - 1] = text;
  return texts;
}

/** Ten a day for five years; reading them takes a few milliseconds. */
export const EXPOSURES_MAX = 20_000;
/** Twice as many as a response includes. */
const WIDGETS_MAX = 100;

type Row = {
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

/** Parses a text of `readPersonTexts`. */
export function parsePerson(text: string | undefined): KnownPerson | undefined {
  if (text === undefined) return undefined;
  const row = JSON.parse(text) as Row;
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
