import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCircleCheck, IconClock } from '@tabler/icons-react';
import { type RefObject, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { inCount } from '../../../pieces/in-words.ts';
import { useAction } from '../../../pieces/use-action.tsx';
import { focusable } from '../../../pieces/use-focus-on-next.ts';
import { useHeir } from '../../../pieces/use-heir.ts';
import { useOnceTrue } from '../../../pieces/use-once-true.ts';
import { When } from '../../../pieces/When.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import type { Endpoint } from '../endpoint-query.ts';
import { toldOf } from '../resent-words.ts';
import { REPLAY } from './replay-query.ts';

type WaitingDeliveriesProps = {
  readonly endpoint: Endpoint;
  /** The list below, whose heading has the focus once none of its deliveries waits. */
  readonly list: RefObject<HTMLElement | null>;
};

/** Of the size `xs`. */
const BUTTON_PX = 30;

/**
 * Above the list: how many of its deliveries wait for a retry, which ones, and how to resend them now. Keeps
 * its place once none waits: the list must not move while one aims at it.
 */
export function WaitingDeliveries({ endpoint, list }: WaitingDeliveriesProps) {
  const { id, state, waiting } = endpoint;
  const { run, isRunning } = useAction(REPLAY, { changes: ['WebhookDelivery'] });
  const resend = async () => {
    const done = (await run({ id, input: { pendingOnly: true } }))?.webhookEndpointReplay;
    if (done) notifications.show({ message: done.count ? toldOf(done.count) : NONE_LEFT });
  };
  const box = useRef<HTMLElement>(null);
  useHeir(gone => {
    const heading = box.current?.contains(gone) ? list.current?.querySelector('h2') : undefined;
    return heading ? focusable(heading) : undefined;
  });
  const isOwner = useMay('OWNER');
  const [path] = useLocation();
  const wasWaiting = useOnceTrue(waiting.count > 0);
  if (state !== 'ENABLED' || !wasWaiting) return null;
  if (waiting.count === 0)
    return (
      <Alert
        key="none"
        icon={<IconCircleCheck />}
        color="gray"
        variant="outline"
        title="No delivery waits for a retry"
      >
        <Group mih={isOwner ? BUTTON_PX : undefined}>
          <Text size="sm">Those that waited are in the list below, with their results.</Text>
        </Group>
      </Alert>
    );
  return (
    <Alert
      key="some"
      // Still known once it is gone.
      ref={element => {
        box.current = element ?? box.current;
      }}
      icon={<IconClock />}
      color="gray"
      variant="outline"
      title={titleOf(waiting.count)}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          Next attempt: <When at={waiting.nextAttemptAt} isInSentence /> ·{' '}
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

/** The box is as old as the last refetch. */
const NONE_LEFT = 'No deliveries to resend: none is waiting for a retry any longer.';

function titleOf(count: number): string {
  return count === 1
    ? '1 delivery is waiting for a retry'
    : `${inCount(count)} deliveries are waiting for a retry`;
}
