import { Select, Stack, Text } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { useState } from 'react';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Card } from '../../../pieces/Card.tsx';
import { isZero } from '../../../pieces/decimal.ts';
import { Empty } from '../../../pieces/Empty.tsx';
import { inDay, inPercent } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { EARNING_STATUS_OPTIONS, EarningState } from './EarningState.tsx';

const EARNINGS = graphql(`
  query PartnerEarnings($status: EarningStatus, $after: String) {
    earnings(first: 20, status: $status, after: $after) {
      nodes {
        id kind status rateBps createdAt releaseDate releasedAt eligibleAt
        amount { amount currencyCode }
        clawedBack { amount currencyCode }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

type Earning = ResultOf<typeof EARNINGS>['earnings']['nodes'][number];
type Status = Earning['status'];

/** The earning of each referral payment, and when it becomes available. */
export default function Earnings() {
  const [status, setStatus] = useState<Status | null>(null);
  return (
    <Card
      title="Earnings"
      isFlush
      actions={
        <Select
          aria-label="State"
          size="xs"
          placeholder="All states"
          data={EARNING_STATUS_OPTIONS}
          value={status}
          onChange={value => setStatus(value as Status | null)}
          clearable
          clearButtonProps={{ 'aria-label': 'All states' }}
        />
      }
    >
      <PagedTable
        // A query keeps its rows while it loads those of another state.
        key={status}
        label="Earnings"
        document={EARNINGS}
        variables={{ status }}
        connectionOf={data => data.earnings}
        typename="Earning"
        keyOf={({ id }) => id}
        columns={COLUMNS}
        empty={
          <Empty
            title={status === null ? 'No earnings yet' : 'No earnings in this state'}
            icon={IconCoins}
          >
            {status === null
              ? 'Payments from customers you referred appear here with what you earn.'
              : 'Select another state.'}
          </Empty>
        }
      />
    </Card>
  );
}

const COLUMNS: readonly Column<Earning>[] = [
  {
    title: 'Earned',
    cell: ({ kind, rateBps, createdAt }) => (
      <Stack gap={0}>
        <Text size="sm" fw={600}>
          {inPercent(rateBps / 10_000)} {kind === 'CREDIT' ? 'as credits' : 'in cash'}
        </Text>
        <Text size="xs" c="dimmed">
          <When at={createdAt} />
        </Text>
      </Stack>
    ),
  },
  { title: 'State', cell: ({ status }) => <EarningState status={status} /> },
  { title: 'Available', isWide: true, cell: earning => <Availability earning={earning} /> },
  {
    title: 'Clawed back',
    isNumber: true,
    isWide: true,
    cell: ({ clawedBack }) => (isZero(clawedBack.amount) ? '–' : <Money of={clawedBack} />),
  },
  { title: 'Amount', isNumber: true, cell: ({ amount }) => <Money of={amount} fw={600} /> },
];

function Availability({ earning }: { readonly earning: Earning }) {
  const { kind, releasedAt, releaseDate, eligibleAt } = earning;
  if (kind === 'COMMISSION')
    return (
      <>
        for payout from <When at={eligibleAt} />
      </>
    );
  if (releasedAt !== null)
    return (
      <>
        since <When at={releasedAt} />
      </>
    );
  return releaseDate === null ? '–' : `from ${inDay(releaseDate)}`;
}
