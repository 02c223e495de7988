import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconClock } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { inCount } from '../../../pieces/in-words.ts';
import { useAction } from '../../../pieces/use-action.tsx';
import { When } from '../../../pieces/When.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import type { Endpoint } from '../endpoint-query.ts';
import { toldOf } from '../resent-words.ts';
import { REPLAY } from './replay-query.ts';

/** Above the list: how many of its deliveries wait for a retry, which ones, and how to resend them now. */
export function WaitingDeliveries({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id, state, waiting } = endpoint;
  const { run, isRunning } = useAction(REPLAY, { changes: ['WebhookDelivery'] });
  const resend = async () => {
    const done = (await run({ id, input: { pendingOnly: true } }))?.webhookEndpointReplay;
    if (done) notifications.show({ message: toldOf(done.count ?? 0) });
  };
  const isOwner = useMay('OWNER');
  const [path] = useLocation();
  if (state !== 'ENABLED' || waiting.count === 0) return null;
  return (
    <Alert icon={<IconClock />} color="gray" variant="outline" title={titleOf(waiting.count)}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          Next attempt: <When at={waiting.nextAttemptAt} isRelative /> ·{' '}
          <Anchor component={Link} href={`${path}?state=RETRYING`} inherit>
            Show only these
          </Anchor>
        </Text>
        {isOwner && (
          <Button size="xs" variant="default" loading={isRunning} onClick={() => void resend()}>
            Resend {inCount(waiting.count)} now
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
