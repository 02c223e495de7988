import { Group, Progress, Text } from '@mantine/core';
import { Card } from '../../../pieces/Card.tsx';
import { inCount, inPercent } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import { type Column, Table } from '../../../pieces/Table.tsx';
import type { Overview } from './overview-query.ts';

type Step = { readonly title: string; readonly count: number; readonly share: number };

/** How many of the sign-ups pay. The link itself records no clicks. */
export function ReferralFunnel({ data: { referralProgram, wallet } }: { readonly data: Overview }) {
  const { referralsCount, paidReferralsCount, activeReferralsCount } = referralProgram;
  if (referralsCount === 0) return null;
  const stepOf = (title: string, count: number) => ({
    title,
    count,
    share: count / referralsCount,
  });
  return (
    <Card title="From sign-up to earnings" isFlush>
      <Table
        label="From sign-up to earnings"
        rows={[
          stepOf('Signed up', referralsCount),
          stepOf('Made a first payment', paidReferralsCount),
          stepOf('Paying, not charged back', activeReferralsCount),
        ]}
        keyOf={({ title }) => title}
        columns={COLUMNS}
      />
      <Text size="sm" px="lg" py="md">
        Earned from them: <Money of={wallet.creditsEarned} fw={600} /> in credits and{' '}
        <Money of={wallet.cashEarned} fw={600} /> in cash. Clicks on the link are not recorded.
      </Text>
    </Card>
  );
}

const COLUMNS: readonly Column<Step>[] = [
  { title: 'Step', cell: ({ title }) => title },
  { title: 'Referrals', isNumber: true, cell: ({ count }) => inCount(count) },
  {
    title: 'Share of sign-ups',
    isNumber: true,
    cell: ({ share }) => (
      <Group gap="xs" wrap="nowrap" justify="flex-end">
        <Progress value={share * 100} w={120} visibleFrom="sm" aria-hidden />
        {inPercent(share)}
      </Group>
    ),
  },
];
