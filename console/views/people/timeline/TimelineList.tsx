import { Anchor, Stack, Text } from '@mantine/core';
import {
  IconBell,
  IconBolt,
  IconChevronRight,
  IconMessageReply,
  IconSend,
  IconSpeakerphone,
} from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { Facts } from '../../../pieces/Facts.tsx';
import { inClock, inDayOf } from '../../../pieces/in-words.ts';
import { JourneyLink } from '../../../pieces/JourneyLink.tsx';
import { JsonText } from '../../../pieces/json/JsonText.tsx';
import { campaignIdOf, detailsOf, noteOf, titleOf } from './item-words.ts';
import classes from './timeline.module.css';
import type { Campaigns, Item } from './timeline-query.ts';

const ICONS: Record<Item['__typename'], typeof IconBolt> = {
  TimelineEvent: IconBolt,
  TimelineDelivery: IconBell,
  TimelineCard: IconBell,
  TimelineInAppEvent: IconSpeakerphone,
  TimelineInAppResponse: IconMessageReply,
  TimelineSend: IconSend,
};

type TimelineListProps = { readonly items: readonly Item[]; readonly campaigns: Campaigns };

/** The items by day, each of which opens to show its details. */
export function TimelineList({ items, campaigns }: TimelineListProps) {
  const days = [...Map.groupBy(withoutRepeats(items), ({ at }) => inDayOf(at))];
  return days.map(([day, ofDay]) => (
    <section key={day} aria-label={day}>
      <Text component="h3" className={classes.day}>
        {day}
      </Text>
      <ul className={classes.list}>
        {ofDay.map((item, at) => (
          <Row key={`${item.at} ${at}`} item={item} campaigns={campaigns} />
        ))}
      </ul>
    </section>
  ));
}

/** A report on a message changes the status of its delivery and adds a card, which says the same. */
function withoutRepeats(items: readonly Item[]): readonly Item[] {
  const reportOf = ({ at, channel, messageId }: Report) => `${at} ${channel} ${messageId}`;
  const ofCards = new Set(
    items.flatMap(item => (item.__typename === 'TimelineCard' ? [reportOf(item)] : [])),
  );
  return items.filter(
    item => item.__typename !== 'TimelineDelivery' || !ofCards.has(reportOf(item)),
  );
}

type Report = Pick<
  Extract<Item, { __typename: 'TimelineDelivery' }>,
  'at' | 'channel' | 'messageId'
>;

type RowProps = { readonly item: Item; readonly campaigns: Campaigns };

/** A widget of a journey has a campaign ID too, but no campaign. */
function Row({ item, campaigns }: RowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const Icon = ICONS[item.__typename];
  const title = titleOf(item);
  const campaign = campaigns.get(campaignIdOf(item) ?? '');
  return (
    <li className={classes.item}>
      <Icon className={classes.icon} size={17} stroke={1.7} aria-hidden />
      <div className={classes.what}>
        <button
          type="button"
          className={classes.title}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {title}
          <IconChevronRight
            size={14}
            aria-hidden
            style={{ rotate: isOpen ? '90deg' : undefined, flexShrink: 0 }}
          />
        </button>
        <span className={classes.note}>
          {campaign && (
            <Anchor component={Link} href={`/campaigns/${campaign.id}`} inherit>
              {campaign.name}
            </Anchor>
          )}
          {item.__typename === 'TimelineSend' && item.journey && (
            <JourneyLink journey={item.journey} />
          )}{' '}
          {noteOf(item, campaign !== undefined)}
        </span>
      </div>
      <time className={classes.time} dateTime={item.at}>
        {inClock(item.at)}
      </time>
      {isOpen && (
        <section className={classes.details} aria-label={`Details of ${title}`}>
          <Details item={item} />
        </section>
      )}
    </li>
  );
}

function Details({ item }: { readonly item: Item }) {
  const { facts, documents } = detailsOf(item);
  return (
    <Stack gap="sm">
      <Facts facts={facts} />
      {documents.map(([name, value]) => (
        <div key={name}>
          <Text size="xs" c="dimmed" mb={4}>
            {name}
          </Text>
          <JsonText text={JSON.stringify(value, null, 2)} label={name} />
        </div>
      ))}
    </Stack>
  );
}
