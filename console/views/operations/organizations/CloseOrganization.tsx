import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { CLOSE, type Organization } from './organizations-query.ts';

type CloseOrganizationProps = {
  readonly organization: Organization;
  readonly onDone: () => void;
};

/** What closing does, and the name to confirm it. */
export function CloseOrganization({ organization, onDone }: CloseOrganizationProps) {
  const { id, name } = organization;
  const [typed, setTyped] = useState('');
  const { run, isRunning, refusals } = useAction(CLOSE, {
    isFormShowing: true,
    done: 'The organization was closed.',
    messages: { CONFIRMATION_MISMATCH: 'The name doesn’t match.' },
  });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (await run({ id, confirm: typed })) onDone();
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={['confirm']} />
      <Text component="ul" size="sm" m={0} pl="lg">
        <li>Its tokens and SDK keys stop working within seconds.</li>
        <li>Its webhooks, journeys and segments stop.</li>
        <li>Personal data of its contacts is erased after 30 days.</li>
        <li>Payments, the ledger and the audit log are kept.</li>
      </Text>
      <Text size="sm" fw={600}>
        This can’t be undone.
      </Text>
      <TextInput
        label="Organization name"
        description={`Enter “${name}” to confirm.`}
        required
        autoComplete="off"
        data-autofocus
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        error={refusalAt(refusals, 'confirm')}
      />
      <Button type="submit" color="red.9" disabled={typed !== name} loading={isRunning}>
        Close organization
      </Button>
    </Stack>
  );
}
