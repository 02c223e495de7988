import { Button, Select, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { useQuery } from 'urql';
import { useLocation } from 'wouter';
import { graphql } from '../../graph/graphql.ts';
import { NOT_BLANK } from '../../pieces/not-blank.ts';
import { Refusals, refusalAt } from '../../pieces/Refusals.tsx';
import { leaveBy } from '../../pieces/unsaved.ts';
import { useAction } from '../../pieces/use-action.tsx';
import { useWorkspaces } from '../../session/use-workspaces.ts';

const REGIONS = graphql(`
  query Regions { regions }
`);

const CREATE = graphql(`
  mutation WorkspaceCreate($input: WorkspaceCreateInput!) {
    workspaceCreate(input: $input) { workspace { id name } userErrors { message field } }
  }
`);

/** The API's limit. */
const NAME_CHARACTERS_MAX = 100;
const SHOWN = ['name', 'region'];

type CreateWorkspaceProps = {
  /** Before its home page is opened. */
  readonly onCreated?: () => void;
};

/** Creates a workspace in the viewer's organization and opens its home page; for owners. */
export function CreateWorkspace({ onCreated }: CreateWorkspaceProps) {
  const [name, setName] = useState('');
  const [region, setRegion] = useState<string | null>(null);
  const [{ data }] = useQuery({ query: REGIONS });
  const regions = data?.regions ?? [];
  const [, go] = useLocation();
  const { choose } = useWorkspaces();
  const { run, isRunning, refusals } = useAction(CREATE, {
    isFormShowing: true,
    done: 'The workspace was created.',
  });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const created = await run({ input: { name: name.trim(), region } });
    const workspace = created?.workspaceCreate?.workspace;
    if (!workspace) return;
    onCreated?.();
    leaveBy(() => {
      go('/');
      choose(workspace.id);
    });
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)} ta="left">
      <Refusals refusals={refusals} except={SHOWN} />
      <TextInput
        label="Name"
        description="For example the product or brand whose data it holds."
        required
        pattern={NOT_BLANK}
        maxLength={NAME_CHARACTERS_MAX}
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={refusalAt(refusals, 'name')}
      />
      {regions.length > 1 && (
        <Select
          label="Region"
          description="Where events are stored. This can’t be changed later."
          placeholder="Same as your other workspaces"
          data={regions}
          clearable
          value={region}
          onChange={setRegion}
          error={refusalAt(refusals, 'region')}
        />
      )}
      <Button type="submit" loading={isRunning}>
        Create workspace
      </Button>
    </Stack>
  );
}
