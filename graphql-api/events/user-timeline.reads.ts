// The timeline of one person: events, deliveries, activity cards, in-app interactions and responses,
// and messages of journeys, in one list by time.

import type { Context } from '../platform/context.ts';
import type { Page } from '../platform/database/page.ts';
import { reject } from '../platform/rejected.ts';
import { ask } from '../platform/warehouse/ask.ts';
import { requireText } from '../platform/warehouse/event-filter.ts';
import { encodeCursor, keysetPage, type ListInput } from '../platform/warehouse/keyset.ts';
import { LIST_DAYS_MAX, requireRange, within } from '../platform/warehouse/report-range.ts';
import { eventCursor, eventsByKeys, type StoredEvent } from './event.reads.ts';

export type TimelineKind =
  | 'EVENT'
  | 'DELIVERY'
  | 'CARD'
  | 'IN_APP_EVENT'
  | 'IN_APP_RESPONSE'
  | 'SEND';

export type TimelineItem = {
  readonly kind: TimelineKind;
  readonly atMs: number;
  /** Distinguishes items of the same kind and millisecond. */
  readonly key: string;
  readonly otherKey: string;
  /** The status of a delivery, the kind of a card, the interaction, the response type, or the reason
   * of a send. */
  readonly what: string;
  readonly campaignId: string;
  readonly messageId: string;
  readonly platform: string;
  readonly channel: string;
  readonly variantId: string;
  readonly journeyId: string;
  readonly versionId: string;
  /** JSON text as stored; empty if there is none. */
  readonly details: string;
  readonly score: number | null;
  /** Set for items of kind EVENT only. */
  readonly event?: StoredEvent;
};

type UserTimelineInput = ListInput & {
  readonly userId?: string | null | undefined;
  readonly anonymousId?: string | null | undefined;
  readonly kinds?: readonly TimelineKind[] | null | undefined;
};

export async function userTimeline(
  context: Context,
  input: UserTimelineInput,
): Promise<Page<TimelineItem>> {
  const range = requireRange(input.range, LIST_DAYS_MAX);
  const { userId, anonymousId } = input;
  requireText(userId);
  requireText(anonymousId);
  // An empty ID would match everyone without an ID.
  if (Boolean(userId) === Boolean(anonymousId))
    return reject('BAD_USER_INPUT', {
      field: ['userId'],
      message: 'Provide either `userId` or `anonymousId`, not both.',
    });
  const query = timelineQuery(Boolean(userId), input.kinds);
  const page = await keysetPage<TimelineItem>(range, input, 3, async (part, after, limit) => {
    if (query === undefined) return [];
    const [afterKind, afterKey, afterOther] = after?.keys ?? [];
    const position = after && { afterMs: after.atMs, afterKind, afterKey, afterOther };
    const personId = userId || anonymousId;
    return ask(context, query(after !== undefined), { ...part, ...position, personId, limit });
  });
  return { ...page, items: await withEvents(context, page.items) };
}

export function timelineCursor({ atMs, kind, key, otherKey }: TimelineItem): string {
  return encodeCursor({ atMs, keys: [kind, key, otherKey] });
}

async function withEvents(
  context: Context,
  items: readonly TimelineItem[],
): Promise<TimelineItem[]> {
  const keyOf = ({ atMs, key, otherKey }: TimelineItem) => ({
    timestampMs: atMs,
    messageId: key,
    event: otherKey,
  });
  const keys = items.filter(({ kind }) => kind === 'EVENT').map(keyOf);
  const events = await eventsByKeys(context, keys);
  const byKey = new Map(events.map(event => [eventCursor(event), event]));
  return items.flatMap(item => {
    if (item.kind !== 'EVENT') return [item];
    const event = byKey.get(eventCursor(keyOf(item)));
    return event === undefined ? [] : [{ ...item, event }];
  });
}

/** The properties of an item that a view may have, as expressions. */
type Expressions = {
  readonly [Name in Exclude<keyof TimelineItem, 'kind' | 'atMs' | 'event'>]?: string;
};

type Source = Expressions & {
  readonly kind: TimelineKind;
  readonly view: string;
  readonly at: string;
  readonly key: string;
  /** Undefined if the view has no such ID. */
  readonly byUserId: string;
  readonly byAnonymousId: string | undefined;
};

const BY_ID = {
  byUserId: 'user_id = {personId:String}',
  byAnonymousId: 'anonymous_id = {personId:String}',
};
const MESSAGE = {
  campaignId: 'campaign_id',
  messageId: 'message_id',
  platform: 'platform',
  channel: 'channel',
};
const IN_APP = { campaignId: 'campaign_id', platform: 'platform', variantId: 'variant_id' };

const SOURCES: readonly Source[] = [
  {
    kind: 'EVENT',
    view: 'events',
    at: 'timestamp',
    key: 'message_id',
    otherKey: 'event',
    ...BY_ID,
  },
  {
    kind: 'DELIVERY',
    view: 'deliveries',
    at: 'received_at',
    key: 'toString(delivery_id)',
    otherKey: 'channel',
    what: 'status',
    ...MESSAGE,
    details: 'metadata',
    ...BY_ID,
  },
  {
    kind: 'CARD',
    view: 'activity_cards',
    at: 'received_at',
    key: 'toString(card_id)',
    otherKey: 'user_id',
    what: 'kind',
    ...MESSAGE,
    details: 'details',
    ...BY_ID,
  },
  {
    kind: 'IN_APP_EVENT',
    view: 'in_app_events',
    at: 'received_at',
    key: 'event_key',
    otherKey: `concat(event_type, ':', campaign_id, ':', user_id)`,
    what: 'event_type',
    ...IN_APP,
    ...BY_ID,
  },
  {
    kind: 'IN_APP_RESPONSE',
    view: 'in_app_responses',
    at: 'received_at',
    key: 'response_key',
    otherKey: `concat(response_type, ':', campaign_id, ':', user_id)`,
    what: 'response_type',
    ...IN_APP,
    details: 'payload',
    score: 'score',
    // As for deliveries: the user ID, or the contact ID if it is empty.
    byUserId: `if(user_id = '', contact_id, user_id) = {personId:String}`,
    byAnonymousId: undefined,
  },
  {
    kind: 'SEND',
    view: 'send_audits',
    at: 'sent_at',
    key: 'toString(send_id)',
    otherKey: 'node_id',
    what: 'reason',
    channel: 'channel',
    journeyId: 'journey_id',
    versionId: 'version_id',
    byUserId: BY_ID.byUserId,
    byAnonymousId: undefined,
  },
];

/** The properties of an item that are texts. */
const TEXTS = [
  'otherKey',
  'what',
  'campaignId',
  'messageId',
  'platform',
  'channel',
  'variantId',
  'journeyId',
  'versionId',
  'details',
] as const satisfies (keyof Expressions)[];

const AFTER = `WHERE (at_ms, item_kind, item_key, item_otherKey)
  < ({afterMs:Int64}, {afterKind:String}, {afterKey:String}, {afterOther:String})`;

/** Undefined if no view has items of these kinds. */
function timelineQuery(
  isByUserId: boolean,
  kinds: UserTimelineInput['kinds'],
): ((isAfter: boolean) => string) | undefined {
  const sources = SOURCES.filter(({ kind }) => kinds?.includes(kind) ?? true).flatMap(source => {
    const isPerson = isByUserId ? source.byUserId : source.byAnonymousId;
    return isPerson === undefined ? [] : [selectOf(source, isPerson)];
  });
  if (sources.length === 0) return undefined;
  const all = sources.join('\nUNION ALL\n');
  const texts = TEXTS.map(name => `item_${name} AS "${name}"`);
  return isAfter => `
    SELECT item_kind AS kind, at_ms, item_key AS key, item_score AS score, ${texts.join()}
    FROM (${all}) ${isAfter ? AFTER : ''}
    ORDER BY at_ms DESC, item_kind DESC, item_key DESC, item_otherKey DESC LIMIT {limit:UInt32}`;
}

/** Aliases must differ from the columns of the views, or ClickHouse would confuse them in
 * conditions. */
function selectOf(source: Source, isPerson: string): string {
  const texts = TEXTS.map(name => `toString(${source[name] ?? `''`}) AS item_${name}`);
  return `SELECT '${source.kind}' AS item_kind, toUnixTimestamp64Milli(${source.at}) AS at_ms,
      ${source.key} AS item_key, ${source.score ?? 'CAST(NULL AS Nullable(Float64))'} AS item_score,
      ${texts.join()}
    FROM ${source.view}
    WHERE workspace_id = {workspaceId:UUID} AND ${within(source.at)} AND ${isPerson}`;
}
