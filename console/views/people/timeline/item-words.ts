// An item of the timeline in words, and what its details show.

import { CHANNELS, type Channel, inLanguage } from '../../../pieces/channels.tsx';
import { inExactMoment, inPlainWords } from '../../../pieces/in-words.ts';
import type { Item } from './timeline-query.ts';

type Sent = Extract<Item, { __typename: 'TimelineEvent' }>['event'];
type Send = Extract<Item, { __typename: 'TimelineSend' }>;

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
    case 'TimelineSend':
      return titleOfSend(item);
  }
}

/** For example "Email sent: Welcome". */
function titleOfSend({ channel, version }: Send): string {
  const sent = `${channelOf(channel)} sent`;
  const template = version?.template;
  return template ? `${sent}: ${template.name}` : sent;
}

function channelOf(channel: string | null): string {
  if (channel === null) return 'Message';
  return CHANNELS[channel.toUpperCase() as Channel]?.label ?? inPlainWords(channel);
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

/** A few words beside the title. A message of an unknown campaign shows its ID. */
export function noteOf(item: Item, isCampaignKnown: boolean): string {
  if (item.__typename === 'TimelineSend') return '';
  const notes =
    item.__typename === 'TimelineEvent'
      ? [inPlainWords(item.event.type)]
      : [
          !isCampaignKnown && 'messageId' in item && idOf(item),
          'score' in item && item.score !== null && `score ${item.score}`,
          'variantId' in item && item.variantId !== null && `variant ${item.variantId}`,
          item.platform,
        ];
  return notes.filter(Boolean).join(' · ');
}

type Ids = { readonly campaignId: string | null; readonly messageId: string | null };

function idOf({ campaignId, messageId }: Ids): string | null {
  if (messageId !== null) return `message ${messageId}`;
  return campaignId && `campaign ${campaignId}`;
}

export function campaignIdOf(item: Item): string | undefined {
  return 'campaignId' in item ? (item.campaignId ?? undefined) : undefined;
}

type Details = {
  readonly facts: readonly (readonly [name: string, value: string | null])[];
  /** JSON objects, without those that are empty. */
  readonly documents: readonly (readonly [name: string, value: unknown])[];
};

/** Everything else that is known of the item. */
export function detailsOf(item: Item): Details {
  if (item.__typename === 'TimelineEvent') return detailsOfEvent(item.event);
  if (item.__typename === 'TimelineSend') return detailsOfSend(item);
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

function detailsOfSend({ journey, channel, version }: Send): Details {
  return {
    facts: [
      ['Journey', journey?.name ?? 'Unknown'],
      ['Channel', channelOf(channel)],
      ['Template', version?.template?.name ?? 'Unknown'],
      ['Version', version === null ? 'Unknown' : `${version.number}`],
      ['Language', version && inLanguage(version.language)],
    ],
    documents: [],
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
