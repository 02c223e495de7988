// What a report on a push means: how far its delivery came, its card in the activity feed, and
// what webhook endpoints are told. Every id comes from what the report tells, so that reports may
// be repeated and come in any order: the furthest status and the first notice of each kind stay.

import { derivedUuid } from '../values/derived-uuid.ts';
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
export type PushNotice = 'delivery.delivered' | 'delivery.opened' | 'delivery.clicked';

export type PushDelivery = {
  readonly id: string;
  readonly status: PushStatus;
  /** A delivery never goes back to a lower one. */
  readonly rank: number;
  /** What webhook endpoints are told of the delivery, once each. */
  readonly notices: readonly { readonly id: string; readonly type: PushNotice }[];
};

export type PushOutcome = {
  /** Undefined for an event that is about the permission or the subscription. */
  readonly delivery: PushDelivery | undefined;
  readonly cardId: string;
};

/** `newId` serves reports without a message id, of which nobody can say that they are repeats. */
export function pushOutcome(report: PushReport, newId: () => string): PushOutcome {
  const subject = report.messageId === '' ? newId() : subjectOf(report);
  const cardId = derivedUuid(subject, report.eventType);
  const meaning = MEANINGS[report.eventType];
  if (meaning === undefined) return { delivery: undefined, cardId };
  const notices = meaning.notices.map(type => ({ id: derivedUuid(subject, type), type }));
  return { delivery: { ...meaning, id: subject, notices }, cardId };
}

type Meaning = Pick<PushDelivery, 'status' | 'rank'> & { readonly notices: readonly PushNotice[] };

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

/** One message to one person: the id of its delivery. */
function subjectOf(report: PushReport): string {
  const { workspaceId, propertyId, messageId } = report;
  return derivedUuid(workspaceId, propertyId, 'push', messageId, ...person(report));
}

/** With the kind of id, since a contact id may read like another person's user id. */
function person({ contactId, userId, anonymousId }: PushReport): readonly [string, string] {
  if (contactId !== '') return ['contact', contactId];
  if (userId !== '') return ['user', userId];
  return ['anonymous', anonymousId];
}
