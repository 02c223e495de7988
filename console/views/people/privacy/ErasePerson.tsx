import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
import { Refusals } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { FootprintOf } from './FootprintOf.tsx';
import { confirmedInput, type Footprint } from './footprint-query.ts';

const ERASE = graphql(`
  mutation PersonErase($input: PersonEraseInput!) {
    personErase(input: $input) { erasure { id state } userErrors { message field } }
  }
`);

type ErasePersonProps = {
  readonly userId: string;
  readonly onDone: (erasureId: string) => void;
};

/** Deletes everything that is stored about a person, after their user ID was typed. */
export function ErasePerson({ userId, onDone }: ErasePersonProps) {
  return (
    <FootprintOf userId={userId}>
      {footprint => <EraseForm userId={userId} footprint={footprint} onDone={onDone} />}
    </FootprintOf>
  );
}

type EraseFormProps = ErasePersonProps & {
  /** Undefined while the stored data is counted. */
  readonly footprint: Footprint | undefined;
};

function EraseForm({ userId, footprint, onDone }: EraseFormProps) {
  const [typed, setTyped] = useState('');
  const { run, isRunning, refusals } = useAction(ERASE, {
    isFormShowing: true,
    done: 'The erasure was requested.',
    changes: ['Contact', 'PersonErasure'],
  });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (footprint === undefined) return;
    const requested = await run({ input: confirmedInput(footprint) });
    const erasureId = requested?.personErase?.erasure?.id;
    if (erasureId !== undefined) onDone(erasureId);
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} />
      <Text size="sm">
        These rows are deleted from all tables, and counted again afterwards. Payments are kept; the
        audit log keeps its entries without the values. This can’t be undone.
      </Text>
      <TextInput
        label={`Type ${userId} to confirm`}
        autoComplete="off"
        data-autofocus
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Button
        type="submit"
        color="red.9"
        loading={isRunning}
        disabled={footprint === undefined || typed !== userId}
      >
        Erase this person
      </Button>
    </Stack>
  );
}
