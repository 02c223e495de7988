import { Stack, Text } from '@mantine/core';
import { GatewayState } from './GatewayState.tsx';

type StateWithReasonProps = {
  readonly of: { readonly status: string; readonly errorMessage: string | null };
};

/** With why the last call to the gateway came to nothing. */
export function StateWithReason({ of }: StateWithReasonProps) {
  return (
    <Stack gap={2} align="flex-start">
      <GatewayState name={of.status} />
      {of.errorMessage !== null && (
        <Text size="xs" c="dimmed" maw={260}>
          {of.errorMessage}
        </Text>
      )}
    </Stack>
  );
}
