import { Alert, Button, Group, Text } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { inCount } from '../../../pieces/in-words.ts';
import { useAction } from '../../../pieces/use-action.tsx';
import { When } from '../../../pieces/When.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import type { Endpoint } from '../endpoint-query.ts';
import { REPLAY } from './replay-query.ts';

/** How many deliveries wait for a retry, and how to make their next attempts now. */
export function WaitingDeliveries({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id, state, waiting } = endpoint;
  const { run, isRunning } = useAction(REPLAY, {
    done: 'The next attempts are being made.',
    changes: ['WebhookDelivery'],
  });
  const isOwner = useMay('OWNER');
  if (state !== 'ENABLED' || waiting.count === 0) return null;
  return (
    <Alert icon={<IconClock />} color="gray" variant="outline" title={titleOf(waiting.count)}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          Next attempt: <When at={waiting.nextAttemptAt} isRelative />
        </Text>
        {isOwner && (
          <Button
            size="xs"
            variant="default"
            loading={isRunning}
            onClick={() => void run({ id, input: { pendingOnly: true } })}
          >
            Retry now
          </Button>
        )}
      </Group>
    </Alert>
  );
}

function titleOf(count: number): string {
  return count === 1
    ? '1 delivery is waiting for a retry'
    : `${inCount(count)} deliveries are waiting for a retry`;
}
