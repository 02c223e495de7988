import { Stack, Text } from '@mantine/core';
import { State } from '../../../pieces/State.tsx';
import { StateWithReason } from '../StateWithReason.tsx';
import { STATES } from './vendor-words.ts';
import type { ListedVendor } from './vendors-query.ts';

/** The state includes how far the gateway's KYC is. */
export function VendorState({ vendor }: { readonly vendor: ListedVendor }) {
  const { status, errorMessage } = vendor;
  const words = STATES[status];
  if (words === undefined) return <StateWithReason of={vendor} />;
  return (
    <Stack gap={2} align="flex-start">
      <State name={status} tone={words.tone} label={words.label} />
      <Text size="xs" c="dimmed" maw={260}>
        {errorMessage ?? words.meaning}
      </Text>
    </Stack>
  );
}
