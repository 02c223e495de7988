// An item of the timeline in words, and what its details show.

import { inPlainWords } from '../../../pieces/in-words.ts';
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
      return event ?? 'Event without a name';
    case 'PAGE':
    case 'SCREEN':
      return `${inPlainWords(type)} viewed${name === null ? '' : `: ${name}`}`;
    case 'IDENTIFY':
      return 'Identified';
    case 'GROUP':
      return 'Joined a group';
    case 'ALIAS':
      return 'Received another user ID';
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

/** Everything else that is known of the item, without what is empty. */
export function detailsOf(item: Item): string {
  const { __typename, at, ...rest } = item;
  const details = 'event' in rest ? rest.event : rest;
  const known = Object.entries(details).filter(([, value]) => !isEmpty(value));
  return JSON.stringify(Object.fromEntries(known), null, 2);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
