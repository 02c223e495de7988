import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconPlayerPause } from '@tabler/icons-react';
import { useOnceTrue } from '../../../pieces/use-once-true.ts';
import { When } from '../../../pieces/When.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import type { Endpoint } from '../endpoint-query.ts';
import { DISABLED_REASONS } from '../endpoint-words.ts';
import { useEnable } from './use-endpoint-deeds.ts';

/** The reason that the endpoint receives no webhooks, and how to fix it. */
export function EndpointTrouble({ endpoint }: { readonly endpoint: Endpoint }) {
  const { state, disabledReason, disabledAt, failingSince } = endpoint;
  const wasFailing = useOnceTrue(failingSince !== null);
  const { enable, isRunning } = useEnable(endpoint.id);
  const isOwner = useMay('OWNER');
  if (state === 'ENABLED') return wasFailing && <Failing endpoint={endpoint} />;
  return (
    <Alert
      icon={disabledReason === 'BY_OPERATOR' ? <IconPlayerPause /> : <IconAlertTriangle />}
      color={disabledReason === 'BY_OPERATOR' ? 'gray' : 'red'}
      variant="outline"
      title="Endpoint disabled"
    >
      <Text size="sm">
        {disabledReason !== null && DISABLED_REASONS[disabledReason]} (
        <When at={disabledAt} isInSentence />
        ). You can resend missed events once it is enabled.
      </Text>
      {isOwner && (
        <Group mt="sm">
          <Button size="xs" variant="default" loading={isRunning} onClick={enable}>
            Enable endpoint
          </Button>
        </Group>
      )}
    </Alert>
  );
}

/** Keeps its place once a delivery has succeeded: what is below must not move while one aims at it. */
function Failing({ endpoint: { failingSince, lastSuccessAt } }: { readonly endpoint: Endpoint }) {
  if (failingSince === null)
    return (
      <Alert
        icon={<IconCircleCheck />}
        color="gray"
        variant="outline"
        title="Deliveries succeed again"
      >
        Last success: <When at={lastSuccessAt} isRelative />. Deliveries that failed before are
        retried for three days, or can be resent at once.
      </Alert>
    );
  return (
    <Alert
      icon={<IconAlertTriangle />}
      color="yellow"
      variant="outline"
      title="Deliveries are failing"
    >
      Since <When at={failingSince} />. Each webhook is retried for three days. After five days
      without a successful delivery, the endpoint is disabled.
    </Alert>
  );
}
