import { Group, Stack, Text } from '@mantine/core';
import { isNegative } from '../../../pieces/decimal.ts';
import { inMoney, inPlainWords } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { KINDS } from './transaction-kinds.ts';
import type { Transaction } from './wallet-query.ts';

type Entry = Transaction['entries'][number];

const ACCOUNTS: Record<Entry['account'], string> = {
  PENDING: 'Held credits',
  AVAILABLE: 'Credits',
  CASH: 'Cash',
  IN_PAYOUT: 'In transit',
  DEBT: 'Debt',
};

export const LEDGER_COLUMNS: readonly Column<Transaction>[] = [
  {
    title: 'Type',
    cell: ({ kind, createdAt }) => (
      <Stack gap={0}>
        <Text size="sm" fw={600}>
          {KINDS[kind] ?? inPlainWords(kind)}
        </Text>
        <Text size="xs" c="dimmed">
          <When at={createdAt} />
        </Text>
      </Stack>
    ),
  },
  {
    title: 'Effect',
    isWide: true,
    cell: ({ entries }) => (
      <Stack gap={2}>
        {entries.map(entry => (
          <Effect key={entry.account} entry={entry} />
        ))}
      </Stack>
    ),
  },
  {
    title: 'Amount',
    isNumber: true,
    cell: ({ amount }) => <Money of={amount} fw={600} size="sm" />,
  },
];

function Effect({ entry: { account, amount, balanceAfter } }: { readonly entry: Entry }) {
  return (
    <Group gap={8} wrap="nowrap">
      <Text size="sm" w={104}>
        {ACCOUNTS[account] ?? inPlainWords(account)}
      </Text>
      <Text size="sm" w={120} ta="right" fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {isNegative(amount.amount) ? '' : '+'}
        {inMoney(amount.amount, amount.currencyCode)}
      </Text>
      <Text size="sm" c="dimmed">
        balance <Money of={balanceAfter} />
      </Text>
    </Group>
  );
}
