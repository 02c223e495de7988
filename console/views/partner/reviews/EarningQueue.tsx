import { Stack, Text } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import type { ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { isZero } from '../../../pieces/decimal.ts';
import { Empty } from '../../../pieces/Empty.tsx';
import { inDay, inPercent } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import { MoreButton } from '../../../pieces/MoreButton.tsx';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { usePages } from '../../../pieces/use-pages.ts';
import { useQueueKeys } from '../../../pieces/use-queue-keys.ts';
import { When } from '../../../pieces/When.tsx';
import { EARNING_STATUS_OPTIONS, EarningState } from '../earnings/EarningState.tsx';
import { PLATFORM_EARNINGS, type PlatformEarning } from './earnings-query.ts';
import { queueTitle } from './queue-title.ts';
import { Reschedule } from './Reschedule.tsx';
import { StatusSelect } from './StatusSelect.tsx';

type Status = PlatformEarning['status'];

/** Also what refunds and chargebacks took back. */
export function EarningQueue() {
  const [status, setStatus] = useState<Status | null>(null);
  const asked = useQuery({ query: PLATFORM_EARNINGS, variables: { status } });
  return (
    <Card
      title={queueTitle('Earnings', EARNING_STATUS_OPTIONS, status)}
      isFlush
      actions={
        <StatusSelect options={EARNING_STATUS_OPTIONS} value={status} onChange={setStatus} />
      }
    >
      <Asked asked={asked} label="Loading earnings">
        {data => <Queue key={status} data={data} status={status} />}
      </Asked>
    </Card>
  );
}

type QueueProps = {
  readonly data: ResultOf<typeof PLATFORM_EARNINGS>;
  readonly status: Status | null;
};

function Queue({ data, status }: QueueProps) {
  const { nodes, page, isLoading, showMore } = usePages(
    data.platformEarnings,
    PLATFORM_EARNINGS,
    { status },
    of => of.platformEarnings,
  );
  const queue = useQueueKeys<HTMLDivElement>();
  if (nodes.length === 0)
    return (
      <Empty title="No matching earnings" icon={IconCoins}>
        Earnings from referrals’ payments, and clawbacks after refunds and chargebacks, appear here.
      </Empty>
    );
  return (
    <div ref={queue}>
      <Table label="Earnings" rows={nodes} keyOf={({ id }) => id} columns={COLUMNS} />
      <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
    </div>
  );
}

const COLUMNS: readonly Column<PlatformEarning>[] = [
  {
    title: 'Partner',
    cell: ({ organizationName, kind, rateBps, createdAt }) => (
      <Stack gap={0}>
        <Text size="sm" fw={600}>
          {organizationName}
        </Text>
        <Text size="xs" c="dimmed">
          {inPercent(rateBps / 10_000)} {kind === 'CREDIT' ? 'as credits' : 'in cash'},{' '}
          <When at={createdAt} isRelative />
        </Text>
      </Stack>
    ),
  },
  {
    title: 'State',
    cell: ({ status, releaseDate }) => (
      <Stack gap={4} align="flex-start">
        <EarningState status={status} />
        {status === 'PENDING' && releaseDate !== null && (
          <Text size="xs" c="dimmed">
            until {inDay(releaseDate)}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    title: 'Clawed back',
    isNumber: true,
    isWide: true,
    cell: ({ clawedBack }) => (isZero(clawedBack.amount) ? '–' : <Money of={clawedBack} />),
  },
  { title: 'Amount', isNumber: true, cell: ({ amount }) => <Money of={amount} fw={600} /> },
  { title: 'Actions', isWide: true, cell: earning => <Reschedule earning={earning} /> },
];
