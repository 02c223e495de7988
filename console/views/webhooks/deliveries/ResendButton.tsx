import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { useAction } from '../../../pieces/use-action.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { toldOf } from '../resent-words.ts';
import { useTest } from '../use-test.ts';
import { WEBHOOKS } from '../webhook-paths.ts';
import { type ListedDelivery, REPLAY_DELIVERIES } from './deliveries-query.ts';

type Resendable = Pick<
  ListedDelivery,
  'id' | 'eventType' | 'isTest' | 'state' | 'nextAttemptAt' | 'endpoint'
>;

/** On the page of a delivery: what an owner can send again. */
export function ResendButton({ delivery }: { readonly delivery: Resendable }) {
  const { label, send, isRunning } = useResend(delivery);
  if (label === undefined) return null;
  return (
    <Button leftSection={<IconRefresh size={17} />} loading={isRunning} onClick={send}>
      {label}
    </Button>
  );
}

/** The same in a row of the log. */
export function ResendIcon({ delivery }: { readonly delivery: Resendable }) {
  const { label, send, isRunning } = useResend(delivery);
  if (label === undefined) return null;
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        loading={isRunning}
        aria-label={`${label}: ${delivery.eventType}`}
        onClick={send}
      >
        <IconRefresh size={17} />
      </ActionIcon>
    </Tooltip>
  );
}

const MESSAGES = {
  WEBHOOK_DELIVERY_NOT_REPLAYABLE: 'The delivery is being sent right now.',
};

function useResend(delivery: Resendable) {
  const [, go] = useLocation();
  const label = labelOf(delivery);
  const replay = useAction(REPLAY_DELIVERIES, {
    done: toldOf(1),
    messages: MESSAGES,
  });
  const test = useTest(delivery.endpoint?.id ?? '', id => go(WEBHOOKS.delivery(id)));
  return {
    label: useMay('OWNER') ? label : undefined,
    send: delivery.isTest ? test.test : () => void replay.run({ ids: [delivery.id] }),
    isRunning: test.isRunning || replay.isRunning,
  };
}

/** Undefined if it can't be sent again, or is being sent. A test is not retried: another is sent. */
function labelOf({ isTest, state, nextAttemptAt, endpoint }: Resendable): string | undefined {
  if (endpoint === null) return undefined;
  if (isTest) return state === 'PENDING' ? undefined : 'Send test again';
  if (endpoint.state !== 'ENABLED') return undefined;
  if (state !== 'PENDING') return 'Resend';
  return nextAttemptAt !== null && Date.parse(nextAttemptAt) > Date.now() ? 'Resend' : undefined;
}
