import { Button, Group, Menu, Stack, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArchive, IconPencil } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { graphql } from '../../graph/graphql.ts';
import { confirm } from '../../pieces/confirm.tsx';
import { Dialog } from '../../pieces/Dialog.tsx';
import { MoreMenu } from '../../pieces/MoreMenu.tsx';
import { NOT_BLANK } from '../../pieces/not-blank.ts';
import { Refusals, refusalAt } from '../../pieces/Refusals.tsx';
import { useAction } from '../../pieces/use-action.tsx';
import { useMay } from '../../session/ViewerProvider.tsx';
import { NotArchived } from './NotArchived.tsx';
import type { Template, VersionRow } from './template-query.ts';
import { NewVersion } from './tree/NewVersion.tsx';

const UPDATE = graphql(`
  mutation TemplateUpdate($id: ID!, $input: TemplateUpdateInput!) {
    templateUpdate(id: $id, input: $input) {
      template { id name description version }
      userErrors { message field }
    }
  }
`);

const ARCHIVE = graphql(`
  mutation TemplateArchive($id: ID!) {
    templateArchive(id: $id) { template { id archivedAt } userErrors { message field code } }
  }
`);

type TemplateMenuProps = {
  readonly template: Template;
  readonly versions: readonly VersionRow[];
};

/** The actions on the whole template. */
export function TemplateMenu({ template, versions }: TemplateMenuProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const isOwner = useMay('OWNER');
  const archive = useArchiving(template);
  return (
    <Group gap="xs">
      <NewVersion template={template} versions={versions} />
      <MoreMenu label={`Actions for ${template.name}`} widthPx={220}>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={open}>
          Edit details
        </Menu.Item>
        {isOwner && (
          <Menu.Item
            leftSection={<IconArchive size={16} />}
            c="var(--mantine-color-error)"
            onClick={archive.ask}
          >
            Archive
          </Menu.Item>
        )}
      </MoreMenu>
      <Dialog opened={isOpen} onClose={close} title="Edit details">
        <Form template={template} onDone={close} />
      </Dialog>
      <NotArchived template={template} refusals={archive.refusals} onClose={archive.forget} />
    </Group>
  );
}

function Form({ template, onDone }: { template: Template; onDone: () => void }) {
  const { id, version } = template;
  const [input, setInput] = useState({ name: template.name, description: template.description });
  const { run, isRunning, refusals } = useAction(UPDATE, { isFormShowing: true });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (await run({ id, input: { ...input, version } })) onDone();
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={['name', 'description']} />
      <TextInput
        label="Name"
        required
        pattern={NOT_BLANK}
        data-autofocus
        value={input.name}
        onChange={({ currentTarget }) => setInput({ ...input, name: currentTarget.value })}
        error={refusalAt(refusals, 'name')}
      />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        value={input.description}
        onChange={({ currentTarget }) => setInput({ ...input, description: currentTarget.value })}
        error={refusalAt(refusals, 'description')}
      />
      <Button type="submit" loading={isRunning}>
        Save
      </Button>
    </Stack>
  );
}

function useArchiving({ id, name }: Template) {
  const { run, refusals, forget } = useAction(ARCHIVE, {
    done: `“${name}” was archived.`,
    isFormShowing: true,
  });
  const ask = () =>
    confirm({
      title: `Archive “${name}”`,
      confirm: 'Archive template',
      isDangerous: true,
      children:
        'Archives the template and all of its versions. This can’t be undone, and isn’t possible while people in flight are pinned to one of the versions.',
      onConfirm: () => void run({ id }),
    });
  return { ask, refusals, forget };
}
