import { Button, PasswordInput, Select, Stack } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
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

/** How long webhooks that are signed with the old one are still believed. */
const OVERLAPS = [
  { value: '0', label: 'Counts no more' },
  { value: '86400', label: 'Counts for a day' },
  { value: '259200', label: 'Counts for three days' },
  { value: '604800', label: 'Counts for a week' },
];
const OVERLAP_DEFAULT = '259200';

type RotateFormProps = {
  readonly name: SecretName;
  readonly isSet: boolean;
  readonly onDone: () => void;
};

export function RotateForm({ name, isSet, onDone }: RotateFormProps) {
  const [value, setValue] = useState('');
  const [overlap, setOverlap] = useState(OVERLAP_DEFAULT);
  const { run, isRunning, refusals } = useAction(ROTATE, {
    isFormShowing: true,
    done: 'The secret is set.',
  });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const input = { secret: name, value, overlapSeconds: Number(overlap) };
    if (await run({ input })) onDone();
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={['value']} />
      <PasswordInput
        label="The new one"
        description="As the gateway shows it. It is never shown here again."
        required
        autoComplete="new-password"
        value={value}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
        error={refusalAt(refusals, 'value')}
        data-autofocus
      />
      {isSet && name !== 'SECRET_KEY' && (
        <Select
          label="The old one"
          data={OVERLAPS}
          value={overlap}
          allowDeselect={false}
          onChange={next => setOverlap(next ?? OVERLAP_DEFAULT)}
        />
      )}
      <Button type="submit" loading={isRunning}>
        {isSet ? 'Rotate it' : 'Set it'}
      </Button>
    </Stack>
  );
}
