import { Select, Stack, Text } from '@mantine/core';
import { IconBuildingBank } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inPercent } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { PAYOUT_STATUS_OPTIONS, PayoutState } from './PayoutState.tsx';
import { PAYOUTS, type Payout } from './payouts-query.ts';

export function PayoutList({ action }: { readonly action: ReactNode }) {
  const [status, setStatus] = useState<Payout['status'] | null>(null);
  return (
    <Card
      title="Payouts"
      isFlush
      actions={
        <>
          <Select
            aria-label="State"
            size="xs"
            w={150}
            placeholder="All states"
            data={PAYOUT_STATUS_OPTIONS}
            value={status}
            onChange={value => setStatus(value as Payout['status'] | null)}
            clearable
            clearButtonProps={{ 'aria-label': 'All states' }}
          />
          {action}
        </>
      }
    >
      <PagedTable
        // A query keeps its rows while it loads those of another state.
        key={status}
        label="Payouts"
        document={PAYOUTS}
        variables={{ status }}
        connectionOf={data => data.payouts}
        typename="Payout"
        keyOf={({ id }) => id}
        columns={COLUMNS}
        empty={
          <Empty
            title={status === null ? 'No payouts yet' : 'No payouts in this state'}
            icon={IconBuildingBank}
          >
            {status === null
              ? 'Request a payout once your cash can be paid out.'
              : 'Select another state.'}
          </Empty>
        }
      />
    </Card>
  );
}

const COLUMNS: readonly Column<Payout>[] = [
  {
    title: 'Payout',
    cell: ({ net, createdAt }) => (
      <Stack gap={0}>
        <Money of={net} fw={600} />
        <Text size="xs" c="dimmed">
          Requested <When at={createdAt} />
        </Text>
      </Stack>
    ),
  },
  { title: 'State', cell: payout => <Progress payout={payout} /> },
  { title: 'Requested', isNumber: true, isWide: true, cell: ({ gross }) => <Money of={gross} /> },
  {
    title: 'Tax',
    isNumber: true,
    isWide: true,
    cell: ({ tax, taxRateBps }) => (
      <>
        <Money of={tax} />{' '}
        <Text span size="xs" c="dimmed">
          {inPercent(taxRateBps / 10_000)}
        </Text>
      </>
    ),
  },
];

/** The status with its time, and the bank's or the reviewer's note. */
function Progress({ payout }: { readonly payout: Payout }) {
  const { status, bankReference, reason, processingAt, paidAt, closedAt } = payout;
  const at = closedAt ?? paidAt ?? processingAt;
  return (
    <Stack gap={4} align="flex-start">
      <PayoutState status={status} />
      {(at !== null || reason !== null || bankReference !== null) && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {at !== null && <When at={at} isDated />}
          {reason !== null && ` · ${reason}`}
          {reason === null && bankReference !== null && ` · ${bankReference}`}
        </Text>
      )}
    </Stack>
  );
}
