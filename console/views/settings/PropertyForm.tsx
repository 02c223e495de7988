import { Button, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { graphql } from '../../graph/graphql.ts';
import { NOT_BLANK } from '../../pieces/not-blank.ts';
import { Refusals, refusalAt } from '../../pieces/Refusals.tsx';
import { useAction } from '../../pieces/use-action.tsx';

const CREATE = graphql(`
  mutation PropertyCreate($input: PropertyCreateInput!) {
    propertyCreate(input: $input) { property { id name } userErrors { message field } }
  }
`);

const UPDATE = graphql(`
  mutation PropertyUpdate($id: ID!, $input: PropertyUpdateInput!) {
    propertyUpdate(id: $id, input: $input) { property { id name } userErrors { message field } }
  }
`);

/** The API's limit. */
const NAME_CHARACTERS_MAX = 100;

type PropertyFormProps = {
  /** Undefined for a new one. */
  readonly property?: { readonly id: string; readonly name: string } | undefined;
  readonly onDone: () => void;
};

/** Creates a property of the workspace, or renames one; for owners. */
export function PropertyForm({ property, onDone }: PropertyFormProps) {
  const [name, setName] = useState(property?.name ?? '');
  const create = useAction(CREATE, { isFormShowing: true, done: 'The property was created.' });
  const update = useAction(UPDATE, { isFormShowing: true, done: 'The property was renamed.' });
  const { isRunning, refusals } = property === undefined ? create : update;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const input = { name: name.trim() };
    const done =
      property === undefined
        ? await create.run({ input })
        : await update.run({ id: property.id, input });
    if (done) onDone();
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)} ta="left">
      <Refusals refusals={refusals} except={['name']} />
      <TextInput
        label="Name"
        description="The app or site, such as Web shop or Android app."
        required
        pattern={NOT_BLANK}
        maxLength={NAME_CHARACTERS_MAX}
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={refusalAt(refusals, 'name')}
      />
      <Button type="submit" loading={isRunning}>
        {property === undefined ? 'Create property' : 'Save'}
      </Button>
    </Stack>
  );
}
