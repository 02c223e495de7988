import { Button, Group, Stack } from '@mantine/core';
import type { ComponentType } from 'react';
import { Link, Redirect, useParams } from 'wouter';
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
  { name: 'books', title: 'Books', Component: Books },
  { name: 'changes', title: 'Changes', Component: Changes },
];

/** The pending reviews of platform admins, for all organizations. */
export default function Reviews() {
  const { queue } = useParams<{ queue?: string }>();
  const here = QUEUES.find(({ name }) => name === queue);
  if (here === undefined) return <Redirect to={`/partner/reviews/${QUEUES[0]!.name}`} replace />;
  return (
    <Stack gap="md">
      <Group component="nav" gap={4} aria-label="Reviews">
        {QUEUES.map(each => (
          <Button
            key={each.name}
            component={Link}
            href={`/partner/reviews/${each.name}`}
            size="xs"
            variant={each === here ? 'filled' : 'default'}
            radius="xl"
            aria-current={each === here ? 'page' : undefined}
          >
            {each.title}
          </Button>
        ))}
      </Group>
      <here.Component />
    </Stack>
  );
}
