import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useId, useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
import { CopyIcon } from '../../../pieces/CopyIcon.tsx';
import { keptInWords, rowsByOutcome } from '../../../pieces/erased-rows.ts';
import { inCount } from '../../../pieces/in-words.ts';
import { Refusals } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { FootprintOf } from './FootprintOf.tsx';
import { confirmedInput, type Footprint, type Tables } from './footprint-query.ts';

const ERASE = graphql(`
  mutation PersonErase($input: PersonEraseInput!) {
    personErase(input: $input) { erasure { id state } userErrors { message field } }
  }
`);

type ErasePersonProps = {
  readonly userId: string;
  readonly onDone: (erasureId: string) => void;
  readonly onCancel: () => void;
};

/** Deletes everything that is stored about a person, after their user ID was typed. */
export function ErasePerson(props: ErasePersonProps) {
  return (
    <FootprintOf userId={props.userId}>
      {(footprint, tables) => <EraseForm {...props} footprint={footprint} tables={tables} />}
    </FootprintOf>
  );
}

type EraseFormProps = ErasePersonProps & {
  /** Undefined until the IDs are found. */
  readonly footprint: Footprint | undefined;
  /** Undefined until the rows are counted. */
  readonly tables: Tables | undefined;
};

function EraseForm({ userId, footprint, tables, onDone, onCancel }: EraseFormProps) {
  const [typed, setTyped] = useState('');
  const labelId = useId();
  const { run, isRunning, refusals } = useAction(ERASE, {
    isFormShowing: true,
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
      {footprint && <Effect tables={tables} />}
      <Text size="sm" fw={600}>
        This can’t be undone.
      </Text>
      <CopyIcon text={userId} label="user ID">
        <Text id={labelId} size="sm" style={{ overflowWrap: 'anywhere' }}>
          To confirm, type <span className="mono">{userId}</span>
        </Text>
      </CopyIcon>
      <TextInput
        aria-labelledby={labelId}
        autoComplete="off"
        data-autofocus
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button
          type="submit"
          color="red.9"
          loading={isRunning}
          disabled={footprint === undefined || typed !== userId}
        >
          Erase this person
        </Button>
      </Group>
    </Stack>
  );
}

function Effect({ tables }: Pick<EraseFormProps, 'tables'>) {
  if (tables === undefined)
    return (
      <Text size="sm">
        All rows with these IDs will be deleted, except what must be kept, such as payments. The
        receipt lists what was deleted and what is kept.
      </Text>
    );
  const { deleted, redacted } = rowsByOutcome(tables);
  return (
    <Text size="sm">
      {deleted === 1 ? '1 row' : `${inCount(deleted)} rows`} will be deleted
      {redacted > 0 && `, and values removed from ${inCount(redacted)} in the audit log`}. The rows
      are counted again afterwards. {keptInWords(tables)} are kept.
    </Text>
  );
}
