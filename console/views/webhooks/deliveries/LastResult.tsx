import { Group, Text } from '@mantine/core';
import { inCount } from '../../../pieces/in-words.ts';
import { OUTCOMES } from '../endpoint-words.ts';
import type { ListedDelivery } from './deliveries-query.ts';

/** The result of the last attempt, and the number of attempts. */
export function LastResult({ of }: { readonly of: ListedDelivery }) {
  const { lastOutcome, lastStatus, lastLatencyMs, attemptCount } = of;
  if (lastOutcome === null)
    return (
      <Text size="sm" c="dimmed">
        None yet
      </Text>
    );
  return (
    <Group gap={6}>
      <Text size="sm">{lastStatus === null ? OUTCOMES[lastOutcome] : `HTTP ${lastStatus}`}</Text>
      <Text size="xs" c="dimmed">
        {lastLatencyMs !== null && `${inCount(lastLatencyMs)} ms`}
        {attemptCount > 1 && `, ${inCount(attemptCount)} attempts`}
      </Text>
    </Group>
  );
}
