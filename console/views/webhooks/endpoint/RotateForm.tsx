import { Button, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
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

/** How long receivers have to take the new one. */
const OVERLAPS = [
  { value: '0', label: 'Expires immediately' },
  { value: '3600', label: 'Valid for 1 hour' },
  { value: '86400', label: 'Valid for 1 day' },
  { value: '604800', label: 'Valid for 1 week' },
];
const OVERLAP_DEFAULT = '86400';

export function RotateForm({ endpoint }: { readonly endpoint: Endpoint }) {
  const [overlap, setOverlap] = useState(OVERLAP_DEFAULT);
  const [secret, setSecret] = useState<string>();
  const { key } = useOnceKey();
  const { run, isRunning, refusals } = useAction(ROTATE, { isFormShowing: true });
  if (secret !== undefined) return <SecretOnce secret={secret} />;
  const rotate = async () => {
    const input = { overlapSeconds: Number(overlap) };
    const made = (await run({ id: endpoint.id, input, key }))?.webhookSecretRotate?.secret;
    if (made) setSecret(made);
  };
  return (
    <Stack>
      <Refusals refusals={refusals} />
      <Text size="sm">
        Creates a new secret. While both are valid, webhooks are signed with both, so a receiver can
        verify them with either.
      </Text>
      <Select
        label="Old secret"
        data={OVERLAPS}
        value={overlap}
        allowDeselect={false}
        onChange={value => setOverlap(value ?? OVERLAP_DEFAULT)}
      />
      <Button loading={isRunning} onClick={() => void rotate()}>
        Rotate secret
      </Button>
    </Stack>
  );
}
