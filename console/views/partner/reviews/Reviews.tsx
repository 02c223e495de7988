import { Stack } from '@mantine/core';
import type { ComponentType } from 'react';
import { Redirect, useParams } from 'wouter';
import { Sections } from '../../../pieces/Sections.tsx';
import { useWaiting, type Waiting } from '../../../pieces/use-waiting.ts';
import { Books } from './Books.tsx';
import { Changes } from './Changes.tsx';
import { DealQueue } from './DealQueue.tsx';
import { EarningQueue } from './EarningQueue.tsx';
import { IdentityQueue } from './IdentityQueue.tsx';
import { PayoutQueue } from './PayoutQueue.tsx';
import { QueueSize } from './QueueSize.tsx';

type Queue = {
  readonly name: string;
  readonly title: string;
  readonly Component: ComponentType;
  /** Where items wait for a decision. */
  readonly waiting?: keyof NonNullable<Waiting['partnerReviewQueues']>;
};

const QUEUES: readonly Queue[] = [
  {
    name: 'identities',
    title: 'Identities (KYC)',
    Component: IdentityQueue,
    waiting: 'kycSubmissions',
  },
  { name: 'payouts', title: 'Payouts', Component: PayoutQueue, waiting: 'payouts' },
  { name: 'deals', title: 'Deals', Component: DealQueue, waiting: 'deals' },
  { name: 'earnings', title: 'Earnings', Component: EarningQueue },
  { name: 'books', title: 'Ledger check', Component: Books },
  { name: 'changes', title: 'Audit log', Component: Changes },
];

const pathOf = ({ name }: Queue) => `/partner/reviews/${name}`;

/** The pending reviews of platform admins, for all organizations. */
export default function Reviews() {
  const { queue } = useParams<{ queue?: string }>();
  const queues = useWaiting().data?.partnerReviewQueues;
  const here = QUEUES.find(({ name }) => name === queue);
  if (here === undefined) return <Redirect to={pathOf(QUEUES[0]!)} replace />;
  const sections = QUEUES.map(queue => ({
    path: pathOf(queue),
    title: queue.title,
    note: queue.waiting && <QueueSize queue={queues?.[queue.waiting]} />,
  }));
  return (
    <Stack gap="md">
      <Sections label="Reviews" sections={sections} />
      <here.Component />
    </Stack>
  );
}
