// Derives from a push report the status of its delivery, its activity feed card and the outbound
// events. All IDs derive from the report, so reports may be repeated and arrive in any order: the
// furthest status and the first outbound event of each type are kept.

import { derivedUuid } from '../../schema/values/derived-uuid.ts';
import type { PushEventType } from './normalise-push-event.ts';

type PushReport = {
  readonly eventType: PushEventType;
  readonly workspaceId: string;
  readonly propertyId: string;
  /** The IDs below are empty if the SDK could not resolve them. */
  readonly messageId: string;
  readonly userId: string;
  readonly contactId: string;
  readonly anonymousId: string;
};

type PushStatus = 'shown' | 'dismissed' | 'clicked';
type PushNoticeType = 'delivery.delivered' | 'delivery.opened' | 'delivery.clicked';

type PushNotice = {
  readonly id: string;
  /** Empty if the report only links several IDs of the delivery. */
  readonly type: PushNoticeType | '';
};

/** How reports of one delivery are matched: not at all, or by the IDs in the report. */
export const NAMED_BY = { nothing: 0, person: 1, standIn: 2 } as const;
type NamedBy = (typeof NAMED_BY)[keyof typeof NAMED_BY];

export type PushDelivery = {
  /** The delivery's ID for analytics and webhook endpoints. */
  readonly id: string;
  /** The ID under which rows are stored. Differs from `id` if the report has no user ID. */
  readonly storedId: string;
  readonly links: readonly PushLink[];
  readonly named: NamedBy;
  /** The IDs of the delivery that derive from the other IDs in the report. */
  readonly otherNames: readonly string[];
  readonly status: PushStatus;
  /** A delivery never moves to a lower rank. */
  readonly rank: number;
  /** The outbound events of the delivery, each sent once. */
  readonly notices: readonly PushNotice[];
};

/**
 * Links rows stored under `storedId` to the delivery `id`. If there are several links, the highest
 * rank counts.
 */
type PushLink = { readonly storedId: string; readonly id: string; readonly rank: number };

type PushOutcome = {
  /** Undefined for an event about the permission or the subscription. */
  readonly delivery: PushDelivery | undefined;
  readonly cardId: string;
};

/**
 * `newId` creates the ID of reports without a message ID, which cannot be recognized as repeats.
 */
export function pushOutcome(report: PushReport, newId: () => string): PushOutcome {
  const identity = report.messageId === '' ? unrepeatable(newId()) : identityOf(report);
  const cardId = derivedUuid(identity.id, report.eventType);
  const meaning = MEANINGS[report.eventType];
  if (meaning === undefined) return { delivery: undefined, cardId };
  const isOnlyNamed = meaning.notices.length === 0 && identity.otherNames.length > 0;
  const types = isOnlyNamed ? ([''] as const) : meaning.notices;
  const notices = types.map(type => ({ id: derivedUuid(identity.storedId, type), type }));
  return { delivery: { ...meaning, ...identity, notices }, cardId };
}

type Meaning = Pick<PushDelivery, 'status' | 'rank'> & {
  readonly notices: readonly PushNoticeType[];
};

const SHOWN: Meaning = { status: 'shown', rank: 1, notices: ['delivery.delivered'] };
const MEANINGS: Readonly<Record<PushEventType, Meaning | undefined>> = {
  'push.delivered': SHOWN,
  'push.shown': SHOWN,
  'push.dismissed': { status: 'dismissed', rank: 2, notices: [] },
  'push.clicked': {
    status: 'clicked',
    rank: 3,
    notices: ['delivery.opened', 'delivery.clicked'],
  },
  'push.permission_denied': undefined,
  'push.subscribed': undefined,
  'push.resubscribed': undefined,
};

type Identity = Pick<PushDelivery, 'id' | 'storedId' | 'links' | 'named' | 'otherNames'>;

function unrepeatable(id: string): Identity {
  return { id, storedId: id, links: [], named: NAMED_BY.nothing, otherNames: [] };
}

/** A report with both IDs outranks the rule that a contact ID replaces a missing user ID. */
const BY_RULE = 1;
const BY_REPORT = 2;

/**
 * One message to one person is one delivery. The person is the user ID or, without one, the contact
 * ID, as in the row. Rows stored under the device's or the contact's ID alone are linked to the
 * person by the first report that has both. The kind of ID is part of each derived ID, because a
 * contact ID may equal another person's user ID.
 */
function identityOf({ userId, contactId, anonymousId, ...message }: PushReport): Identity {
  const under = (kind: 'user' | 'contact' | 'anonymous', id: string) =>
    derivedUuid(message.workspaceId, message.propertyId, 'push', message.messageId, kind, id);
  const device = anonymousId === '' ? [] : [under('anonymous', anonymousId)];
  if (userId === '' && contactId === '') {
    const id = under('anonymous', anonymousId);
    return { ...unrepeatable(id), named: NAMED_BY.standIn };
  }
  const id = under('user', userId || contactId);
  const contact = contactId === '' ? [] : [under('contact', contactId)];
  const rank = userId === '' ? BY_RULE : BY_REPORT;
  const links = [...contact, ...device].map(storedId => ({ storedId, id, rank }));
  if (userId === '')
    return { id, storedId: contact[0]!, links, named: NAMED_BY.standIn, otherNames: device };
  const otherNames = new Set([under('contact', userId), ...contact, ...device]);
  return { id, storedId: id, links, named: NAMED_BY.person, otherNames: [...otherNames] };
}
