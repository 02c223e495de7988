import { Button, PasswordInput, Stack } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
import { OverlapSelect } from '../../../pieces/OverlapSelect.tsx';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import type { SecretName } from './account-query.ts';

const ROTATE = graphql(`
  mutation GatewaySecretRotate($input: GatewaySecretRotateInput!) {
    gatewaySecretRotate(input: $input) {
      gatewayCredentials { version }
      userErrors { message field }
    }
  }
`);

/** Missed webhooks, signed with the old one, are resent within days. */
const OVERLAP_SECONDS_DEFAULT = 259_200;

type RotateFormProps = {
  readonly name: SecretName;
  readonly isSet: boolean;
  readonly onDone: () => void;
};

export function RotateForm({ name, isSet, onDone }: RotateFormProps) {
  const [value, setValue] = useState('');
  const [overlapSeconds, setOverlapSeconds] = useState(OVERLAP_SECONDS_DEFAULT);
  const { run, isRunning, refusals } = useAction(ROTATE, {
    isFormShowing: true,
    done: 'The secret is set.',
  });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (await run({ input: { secret: name, value, overlapSeconds } })) onDone();
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={['value']} />
      <PasswordInput
        label="New secret"
        description="As the gateway shows it. It is never shown here again."
        required
        autoComplete="new-password"
        value={value}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
        error={refusalAt(refusals, 'value')}
        data-autofocus
      />
      {isSet && name !== 'SECRET_KEY' && (
        <OverlapSelect of="secret" seconds={overlapSeconds} onChange={setOverlapSeconds} />
      )}
      <Button type="submit" loading={isRunning}>
        {isSet ? 'Rotate it' : 'Set it'}
      </Button>
    </Stack>
  );
}
