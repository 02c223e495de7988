import { Anchor, Stack } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import { Link, Redirect, useParams } from 'wouter';
import { inCount } from '../../../pieces/in-words.ts';
import { Sections } from '../../../pieces/Sections.tsx';
import { useWaiting, type Waiting } from '../../../pieces/use-waiting.ts';
import { Books } from './Books.tsx';
import { Changes } from './Changes.tsx';
import { DealQueue } from './DealQueue.tsx';
import { EarningQueue } from './EarningQueue.tsx';
import { IdentityQueue } from './IdentityQueue.tsx';
import { PayoutQueue } from './PayoutQueue.tsx';
import { QueueSize } from './QueueSize.tsx';

type Queues = NonNullable<Waiting['partnerReviewQueues']>;

type Review = {
  readonly name: string;
  readonly title: string;
  /** `next` is for an empty queue. */
  readonly Component: ComponentType<{ readonly next: ReactNode }>;
  /** Where items wait for a decision. */
  readonly waiting?: { readonly queue: keyof Queues; readonly one: string; readonly many: string };
};

const REVIEWS: readonly Review[] = [
  {
    name: 'identities',
    title: 'Identities (KYC)',
    Component: IdentityQueue,
    waiting: { queue: 'kycSubmissions', one: 'identity waits', many: 'identities wait' },
  },
  {
    name: 'payouts',
    title: 'Payouts',
    Component: PayoutQueue,
    waiting: { queue: 'payouts', one: 'payout waits', many: 'payouts wait' },
  },
  {
    name: 'deals',
    title: 'Deals',
    Component: DealQueue,
    waiting: { queue: 'deals', one: 'deal waits', many: 'deals wait' },
  },
  { name: 'earnings', title: 'Earnings', Component: EarningQueue },
  { name: 'books', title: 'Ledger check', Component: Books },
  { name: 'changes', title: 'Audit log', Component: Changes },
];

const pathOf = ({ name }: Review) => `/partner/reviews/${name}`;

/** The pending reviews of platform admins, for all organizations. */
export default function Reviews() {
  const { queue } = useParams<{ queue?: string }>();
  const queues = useWaiting().data?.partnerReviewQueues;
  const here = REVIEWS.find(({ name }) => name === queue);
  if (here === undefined) return <Redirect to={pathOf(REVIEWS[0]!)} replace />;
  const sections = REVIEWS.map(review => ({
    path: pathOf(review),
    title: review.title,
    note: review.waiting && <QueueSize queue={queues?.[review.waiting.queue]} />,
  }));
  return (
    <Stack gap="md">
      <Sections label="Reviews" sections={sections} />
      <here.Component next={queues && <NextQueue after={here} queues={queues} />} />
    </Stack>
  );
}

type NextQueueProps = { readonly after: Review; readonly queues: Queues };

/** The way on from an empty queue, to the next one in which something waits. */
function NextQueue({ after, queues }: NextQueueProps) {
  const here = REVIEWS.indexOf(after);
  const others = [...REVIEWS.slice(here + 1), ...REVIEWS.slice(0, here)];
  const next = others.find(({ waiting }) => waiting && queues[waiting.queue].count > 0);
  if (next?.waiting === undefined) return null;
  const { queue, one, many } = next.waiting;
  const { count } = queues[queue];
  return (
    <Anchor component={Link} href={pathOf(next)} display="block" size="sm" mt="xs">
      {inCount(count)} {count === 1 ? one : many} for review
    </Anchor>
  );
}
