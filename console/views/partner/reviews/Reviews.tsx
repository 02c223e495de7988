import { Stack } from '@mantine/core';
import type { ComponentType } from 'react';
import { Redirect, useParams } from 'wouter';
import { Sections } from '../../../pieces/Sections.tsx';
import { Books } from './Books.tsx';
import { Changes } from './Changes.tsx';
import { DealQueue } from './DealQueue.tsx';
import { EarningQueue } from './EarningQueue.tsx';
import { IdentityQueue } from './IdentityQueue.tsx';
import { PayoutQueue } from './PayoutQueue.tsx';

type Queue = {
  readonly name: string;
  readonly title: string;
  readonly Component: ComponentType;
};

const QUEUES: readonly Queue[] = [
  { name: 'identities', title: 'Identities', Component: IdentityQueue },
  { name: 'payouts', title: 'Payouts', Component: PayoutQueue },
  { name: 'deals', title: 'Deals', Component: DealQueue },
  { name: 'earnings', title: 'Earnings', Component: EarningQueue },
  { name: 'books', title: 'Ledger check', Component: Books },
  { name: 'changes', title: 'Audit log', Component: Changes },
];

const pathOf = ({ name }: Queue) => `/partner/reviews/${name}`;
const SECTIONS = QUEUES.map(queue => ({ path: pathOf(queue), title: queue.title }));

/** The pending reviews of platform admins, for all organizations. */
export default function Reviews() {
  const { queue } = useParams<{ queue?: string }>();
  const here = QUEUES.find(({ name }) => name === queue);
  if (here === undefined) return <Redirect to={pathOf(QUEUES[0]!)} replace />;
  return (
    <Stack gap="md">
      <Sections label="Reviews" sections={SECTIONS} />
      <here.Component />
    </Stack>
  );
}
