import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
import { OverlapSelect } from '../../../pieces/OverlapSelect.tsx';
import { Refusals } from '../../../pieces/Refusals.tsx';
import { useAction, useOnceKey } from '../../../pieces/use-action.tsx';
import type { Endpoint } from '../endpoint-query.ts';
import { SecretOnce } from './SecretOnce.tsx';

const ROTATE = graphql(`
  mutation WebhookSecretRotate($id: ID!, $input: WebhookSecretRotateInput!, $key: String!) {
    webhookSecretRotate(id: $id, input: $input) @idempotent(key: $key) {
      webhookEndpoint { id secretSetAt previousSecretUntil version }
      secret
      userErrors { message field }
    }
  }
`);

/** Receivers have a day to take the new one. */
const OVERLAP_SECONDS_DEFAULT = 86_400;

export function RotateForm({ endpoint }: { readonly endpoint: Endpoint }) {
  const [overlapSeconds, setOverlapSeconds] = useState(OVERLAP_SECONDS_DEFAULT);
  const [secret, setSecret] = useState<string>();
  const { key } = useOnceKey();
  const { run, isRunning, refusals } = useAction(ROTATE, { isFormShowing: true });
  if (secret !== undefined) return <SecretOnce secret={secret} />;
  const rotate = async () => {
    const made = (await run({ id: endpoint.id, input: { overlapSeconds }, key }))
      ?.webhookSecretRotate?.secret;
    if (made) setSecret(made);
  };
  return (
    <Stack>
      <Refusals refusals={refusals} />
      <Text size="sm">
        Creates a new secret. While both are valid, webhooks are signed with both, so a receiver can
        verify them with either.
      </Text>
      <OverlapSelect of="secret" seconds={overlapSeconds} onChange={setOverlapSeconds} />
      <Button loading={isRunning} onClick={() => void rotate()}>
        Rotate secret
      </Button>
    </Stack>
  );
}
