import { Stack, Text } from '@mantine/core';
import { inPercent } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { PayoutState } from '../payouts/PayoutState.tsx';
import type { PlatformPayout } from './payout-steps.ts';

export const PAYOUT_COLUMNS: readonly Column<PlatformPayout>[] = [
  {
    title: 'Partner',
    cell: ({ organizationName, createdAt }) => (
      <Stack gap={0}>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {organizationName}
        </Text>
        <Text size="xs" c="dimmed">
          Requested <When at={createdAt} isDated />
        </Text>
      </Stack>
    ),
  },
  {
    title: 'State',
    cell: ({ status, reason, bankReference }) => (
      <Stack gap={4} align="flex-start">
        <PayoutState status={status} />
        {(reason ?? bankReference) !== null && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {reason ?? bankReference}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    title: 'Requested',
    isNumber: true,
    isWide: true,
    cell: ({ gross, tax, taxRateBps }) => (
      <Stack gap={0} align="flex-end">
        <Money of={gross} />
        <Text size="xs" c="dimmed">
          <Money of={tax} /> tax ({inPercent(taxRateBps / 10_000)})
        </Text>
      </Stack>
    ),
  },
  { title: 'Net amount', isNumber: true, cell: ({ net }) => <Money of={net} fw={600} /> },
];
