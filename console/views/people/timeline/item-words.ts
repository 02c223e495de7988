// An item of the timeline in words, and what its details show.

import { inExactMoment, inPlainWords } from '../../../pieces/in-words.ts';
import type { Item } from './timeline-query.ts';

type Sent = Extract<Item, { __typename: 'TimelineEvent' }>['event'];

export function titleOf(item: Item): string {
  switch (item.__typename) {
    case 'TimelineEvent':
      return titleOfEvent(item.event);
    case 'TimelineDelivery':
      return `${inPlainWords(item.channel ?? 'message')} ${item.status}`;
    case 'TimelineCard':
      return inPlainWords(item.cardKind.replaceAll('.', ' '));
    case 'TimelineInAppEvent':
      return INTERACTIONS[item.eventType] ?? inPlainWords(item.eventType);
    case 'TimelineInAppResponse':
      return `${RESPONSES[item.responseType] ?? inPlainWords(item.responseType)} answered`;
  }
}

const INTERACTIONS: Readonly<Record<string, string>> = {
  impression: 'Campaign shown',
  clicked: 'Campaign clicked',
  dismissed: 'Campaign dismissed',
  served: 'Widget served',
};

const RESPONSES: Readonly<Record<string, string>> = { nps: 'NPS survey' };

function titleOfEvent({ type, event, name }: Sent): string {
  switch (type) {
    case 'TRACK':
      return event ?? 'Unnamed event';
    case 'PAGE':
    case 'SCREEN':
      return `${inPlainWords(type)} viewed${name === null ? '' : `: ${name}`}`;
    case 'IDENTIFY':
      return 'Identified';
    case 'GROUP':
      return 'Joined a group';
    case 'ALIAS':
      return 'User ID changed';
  }
}

/** A few words beside the title. */
export function noteOf(item: Item): string {
  const notes =
    item.__typename === 'TimelineEvent'
      ? [inPlainWords(item.event.type)]
      : [
          'score' in item && item.score !== null && `score ${item.score}`,
          'variantId' in item && item.variantId !== null && `variant ${item.variantId}`,
          item.platform,
        ];
  return notes.filter(Boolean).join(' · ');
}

export function campaignIdOf(item: Item): string | undefined {
  return item.__typename === 'TimelineEvent' ? undefined : (item.campaignId ?? undefined);
}

type Details = {
  readonly facts: readonly (readonly [name: string, value: string | null])[];
  /** JSON objects, without those that are empty. */
  readonly documents: readonly (readonly [name: string, value: unknown])[];
};

/** Everything else that is known of the item. */
export function detailsOf(item: Item): Details {
  if (item.__typename === 'TimelineEvent') return detailsOfEvent(item.event);
  return {
    facts: [
      ['Campaign ID', item.campaignId],
      ['Variant', 'variantId' in item ? item.variantId : null],
      ['Message ID', 'messageId' in item ? item.messageId : null],
      ['Platform', item.platform],
    ],
    documents: filled([
      ['Metadata', 'metadata' in item ? item.metadata : null],
      ['Details', 'details' in item ? item.details : null],
      ['Answer', 'payload' in item ? item.payload : null],
    ]),
  };
}

function detailsOfEvent(event: Sent): Details {
  const { messageId, sessionId, anonymousId, receivedAt } = event;
  return {
    facts: [
      ['Received', inExactMoment(receivedAt)],
      ['Message ID', messageId],
      ['Session ID', sessionId],
      ['Anonymous ID', anonymousId],
    ],
    documents: filled([
      ['Properties', event.properties],
      ['Traits', event.traits],
      ['Context', event.context],
      ['Other fields', event.extra],
    ]),
  };
}

function filled(documents: Details['documents']): Details['documents'] {
  return documents.filter(
    ([, value]) => value !== null && typeof value === 'object' && Object.keys(value).length > 0,
  );
}
