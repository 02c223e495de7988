import { Button, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
import { Refusals } from '../../../pieces/Refusals.tsx';
import { useAction, useOnceKey } from '../../../pieces/use-action.tsx';
import type { Endpoint } from './endpoint-query.ts';
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
  { value: '0', label: 'Ends at once' },
  { value: '3600', label: 'Signs too for an hour' },
  { value: '86400', label: 'Signs too for a day' },
  { value: '604800', label: 'Signs too for a week' },
];
const OVERLAP_DEFAULT = '86400';

type RotateFormProps = { readonly endpoint: Endpoint; readonly onDone: () => void };

export function RotateForm({ endpoint, onDone }: RotateFormProps) {
  const [overlap, setOverlap] = useState(OVERLAP_DEFAULT);
  const [secret, setSecret] = useState<string>();
  const { key } = useOnceKey();
  const { run, isRunning, refusals } = useAction(ROTATE, { isFormShowing: true });
  if (secret !== undefined) return <SecretOnce secret={secret} onDone={onDone} />;
  const rotate = async () => {
    const input = { overlapSeconds: Number(overlap) };
    const made = (await run({ id: endpoint.id, input, key }))?.webhookSecretRotate?.secret;
    if (made) setSecret(made);
  };
  return (
    <Stack>
      <Refusals refusals={refusals} />
      <Text size="sm">
        A new secret takes its place. While both sign, a receiver that knows either of them believes
        what it gets.
      </Text>
      <Select
        label="The old secret"
        data={OVERLAPS}
        value={overlap}
        allowDeselect={false}
        onChange={value => setOverlap(value ?? OVERLAP_DEFAULT)}
      />
      <Button loading={isRunning} onClick={() => void rotate()}>
        Rotate the secret
      </Button>
    </Stack>
  );
}
