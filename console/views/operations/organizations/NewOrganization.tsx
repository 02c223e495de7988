import { Button, Select, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { useQuery } from 'urql';
import { CopyField } from '../../../pieces/CopyField.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { NOT_BLANK } from '../../../pieces/not-blank.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { CREATE, REGIONS } from './organizations-query.ts';

/** The API's limit. */
const NAME_CHARACTERS_MAX = 100;

type Created = { readonly id: string; readonly name: string; readonly writeKey: string | null };
type NewOrganizationProps = { readonly isOpen: boolean; readonly onClose: () => void };

/** The form, then what the tenant needs to start. */
export function NewOrganization({ isOpen, onClose }: NewOrganizationProps) {
  const [created, setCreated] = useState<Created>();
  const close = () => {
    onClose();
    setCreated(undefined);
  };
  return (
    <Dialog
      opened={isOpen}
      onClose={close}
      size="lg"
      title={created === undefined ? 'New organization' : `“${created.name}” was created`}
    >
      {created === undefined ? (
        <OrganizationForm onCreated={setCreated} />
      ) : (
        <Stack>
          <CopyField label="Organization ID" value={created.id} />
          {created.writeKey !== null && <CopyField label="Write key" value={created.writeKey} />}
          <Button onClick={close}>Done</Button>
        </Stack>
      )}
    </Dialog>
  );
}

function OrganizationForm({ onCreated }: { readonly onCreated: (created: Created) => void }) {
  const [name, setName] = useState('');
  const [workspaceName, setWorkspaceName] = useState('');
  const [region, setRegion] = useState<string | null>(null);
  const [{ data }] = useQuery({ query: REGIONS });
  const { run, isRunning, refusals } = useAction(CREATE, {
    isFormShowing: true,
    changes: ['PlatformOrganization'],
  });
  const hasWorkspace = workspaceName.trim() !== '';
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const workspace = hasWorkspace && { workspaceName: workspaceName.trim(), region };
    const done = (await run({ input: { name: name.trim(), ...workspace } }))?.organizationCreate;
    if (done?.organization) onCreated({ ...done.organization, writeKey: done.writeKey });
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={['name', 'workspaceName', 'region']} />
      <TextInput
        label="Name"
        required
        pattern={NOT_BLANK}
        maxLength={NAME_CHARACTERS_MAX}
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={refusalAt(refusals, 'name')}
      />
      <TextInput
        label="First workspace"
        description="Created with a property and an SDK key. Leave empty for none."
        maxLength={NAME_CHARACTERS_MAX}
        value={workspaceName}
        onChange={({ currentTarget }) => setWorkspaceName(currentTarget.value)}
        error={refusalAt(refusals, 'workspaceName')}
      />
      <Select
        label="Region"
        description="Where the workspace’s events are stored."
        placeholder="Any region"
        data={[...(data?.regions ?? [])]}
        clearable
        disabled={!hasWorkspace}
        value={region}
        onChange={setRegion}
        error={refusalAt(refusals, 'region')}
      />
      <Button type="submit" loading={isRunning}>
        Create organization
      </Button>
    </Stack>
  );
}
