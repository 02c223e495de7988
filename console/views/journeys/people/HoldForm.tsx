import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import type { HeldVersionProps } from './HeldVersion.tsx';
import { HOLD, MESSAGES } from './people-query.ts';
import { nameOf } from './person-words.ts';

export function HoldForm({ person, held, onDone }: HeldVersionProps & { onDone: () => void }) {
  const [reason, setReason] = useState('');
  const number = held.pinned?.number ?? '';
  const { run, isRunning, refusals } = useAction(HOLD, {
    isFormShowing: true,
    messages: MESSAGES,
    done: `${nameOf(person)} stays on version ${number}.`,
  });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (await run({ id: person.id, input: { nodeId: held.nodeId, reason } })) onDone();
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={['reason']} />
      <Text size="sm">
        They receive version {number} at this step, even if people in the journey are moved to
        another version. It lasts until the override is removed. No one else is affected.
      </Text>
      <TextInput
        label="Reason"
        description="Optional, for other members."
        data-autofocus
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        error={refusalAt(refusals, 'reason')}
      />
      <Button type="submit" loading={isRunning}>
        Hold version {number}
      </Button>
    </Stack>
  );
}
