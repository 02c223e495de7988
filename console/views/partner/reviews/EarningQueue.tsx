import { Stack, Text } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { useState } from 'react';
import { Card } from '../../../pieces/Card.tsx';
import { isZero } from '../../../pieces/decimal.ts';
import { Empty } from '../../../pieces/Empty.tsx';
import { inDay, inPercent } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import type { Column } from '../../../pieces/Table.tsx';
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
  const queue = useQueueKeys<HTMLDivElement>();
  return (
    <Card
      title={queueTitle('Earnings', EARNING_STATUS_OPTIONS, status)}
      isFlush
      actions={
        <StatusSelect options={EARNING_STATUS_OPTIONS} value={status} onChange={setStatus} />
      }
    >
      <div ref={queue} className="fills-card">
        <PagedTable
          // A query keeps its rows while it loads those of another state.
          key={status}
          label="Earnings"
          document={PLATFORM_EARNINGS}
          variables={{ status }}
          connectionOf={data => data.platformEarnings}
          typename="Earning"
          keyOf={({ id }) => id}
          columns={COLUMNS}
          empty={
            <Empty title="No matching earnings" icon={IconCoins}>
              Earnings from referrals’ payments, and clawbacks after refunds and chargebacks, appear
              here.
            </Empty>
          }
        />
      </div>
    </Card>
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
          <When at={createdAt} isInSentence />
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
