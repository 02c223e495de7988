import { Button, Select, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../../graph/graphql.ts';
import { NOT_BLANK } from '../../pieces/not-blank.ts';
import { Refusals, refusalAt } from '../../pieces/Refusals.tsx';
import { useAction } from '../../pieces/use-action.tsx';

const CREATE = graphql(`
  mutation WorkspaceCreate($input: WorkspaceCreateInput!) {
    workspaceCreate(input: $input) { workspace { id } userErrors { message field } }
  }
`);

const REGIONS = graphql(`
  query WorkspaceRegions { regions }
`);

type CreateWorkspaceProps = { readonly onCreated: (workspaceId: string) => void };

export function CreateWorkspace({ onCreated }: CreateWorkspaceProps) {
  const [name, setName] = useState('');
  const [chosen, setRegion] = useState<string | null>(null);
  const [{ data }] = useQuery({ query: REGIONS });
  const regions = data?.regions ?? [];
  const region = chosen ?? regions[0];
  const { run, isRunning, refusals } = useAction(CREATE, { isFormShowing: true });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const input = { name: name.trim(), ...(region !== undefined && { region }) };
    const made = (await run({ input }))?.workspaceCreate?.workspace;
    if (made) onCreated(made.id);
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={['name', 'region']} />
      <TextInput
        label="Name"
        description="For example, your shop or app."
        required
        pattern={NOT_BLANK}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={refusalAt(refusals, 'name')}
      />
      {regions.length > 1 && (
        <Select
          label="Region"
          description="Where the events are stored. It can’t be changed here later."
          data={[...regions]}
          value={region ?? null}
          onChange={setRegion}
          allowDeselect={false}
          error={refusalAt(refusals, 'region')}
        />
      )}
      <Button type="submit" loading={isRunning}>
        Create workspace
      </Button>
    </Stack>
  );
}
