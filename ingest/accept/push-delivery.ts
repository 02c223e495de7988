// What a report on a push means: how far its delivery came, its card in the activity feed, and
// what webhook endpoints are told. Every id comes from what the report tells, so that reports may
// be repeated and come in any order: the furthest status and the first notice of each kind stay.

import { derivedUuid } from '../../schema/values/derived-uuid.ts';
import type { PushEventType } from './normalise-push-event.ts';

export type PushReport = {
  readonly eventType: PushEventType;
  readonly workspaceId: string;
  readonly propertyId: string;
  /** These are empty when the SDK could not resolve them. */
  readonly messageId: string;
  readonly userId: string;
  readonly contactId: string;
  readonly anonymousId: string;
};

export type PushStatus = 'shown' | 'dismissed' | 'clicked';
type PushNoticeType = 'delivery.delivered' | 'delivery.opened' | 'delivery.clicked';

export type PushNotice = {
  readonly id: string;
  /** Empty where there is nothing to tell but that the delivery has several names. */
  readonly type: PushNoticeType | '';
};

/** How reports of one delivery find one another: not at all, or by what the report names. */
export const NAMED_BY = { nothing: 0, person: 1, standIn: 2 } as const;
type NamedBy = (typeof NAMED_BY)[keyof typeof NAMED_BY];

export type PushDelivery = {
  /** As analysts and webhook endpoints see it. */
  readonly id: string;
  /** What its rows are stored under; another one where the report does not name the user. */
  readonly storedId: string;
  readonly links: readonly PushLink[];
  readonly named: NamedBy;
  /** The ids that the other names of the report give it. */
  readonly otherNames: readonly string[];
  readonly status: PushStatus;
  /** A delivery never goes back to a lower one. */
  readonly rank: number;
  /** What webhook endpoints are told of the delivery, once each. */
  readonly notices: readonly PushNotice[];
};

/** What is stored under `storedId` is of the delivery `id`; of several links the highest rank counts. */
export type PushLink = { readonly storedId: string; readonly id: string; readonly rank: number };

export type PushOutcome = {
  /** Undefined for an event that is about the permission or the subscription. */
  readonly delivery: PushDelivery | undefined;
  readonly cardId: string;
};

/** `newId` serves reports without a message id, of which nobody can say that they are repeats. */
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

/** A report that names both outranks the rule that a contact id stands for an absent user id. */
const BY_RULE = 1;
const BY_REPORT = 2;

/**
 * One message to one person is one delivery. The person is the user id, else the contact id, as the
 * row has it. What was stored under the device's or the contact's id alone is linked to the person by the
 * first report that names both. The kind is part of each id, since a contact id may read like
 * another person's user id.
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
