import { Autocomplete, Button, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { graphql } from '../../../graph/graphql.ts';
import { CHANNEL_ORDER, CHANNELS, type Channel } from '../../../pieces/channels.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { editPath } from '../template-paths.ts';
import type { Template, VersionRow } from '../template-query.ts';
import { mainVersionOf, treesOf } from './version-trees.ts';

const CREATE = graphql(`
  mutation TemplateVersionCreate($id: ID!, $input: TemplateVersionCreateInput!) {
    templateVersionCreate(id: $id, input: $input) {
      templateVersion { id }
      userErrors { message field }
    }
  }
`);

type NewVersionProps = {
  readonly template: Template;
  readonly versions: readonly VersionRow[];
};

/** A button that opens a short form to create a draft. */
export function NewVersion(props: NewVersionProps) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button
        variant={props.versions.length === 0 ? 'filled' : 'default'}
        leftSection={<IconPlus size={17} />}
        onClick={open}
      >
        New draft
      </Button>
      <Dialog opened={isOpen} onClose={close} title="New draft">
        <Form {...props} />
      </Dialog>
    </>
  );
}

const SHOWN = ['channel', 'language', 'body', 'note'];
const LANGUAGES = ['en', 'en_GB', 'hi', 'de', 'es', 'fr', 'pt_BR'];

function Form({ template, versions }: NewVersionProps) {
  const [, go] = useLocation();
  const trees = treesOf(versions);
  const [input, setInput] = useState(() => ({
    channel: trees[0]?.channel ?? ('MESSAGING_APP' as Channel),
    language: trees[0]?.language ?? 'en',
    body: '',
    note: '',
  }));
  const { run, isRunning, refusals } = useAction(CREATE, { isFormShowing: true });
  const change = (part: Partial<typeof input>) => setInput({ ...input, ...part });
  const tree = trees.find(one => one.key === `${input.channel} ${input.language}`);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const { body, ...said } = input;
    const given = tree === undefined ? { ...said, body } : said;
    const made = (await run({ id: template.id, input: given }))?.templateVersionCreate;
    if (made?.templateVersion) go(editPath(template.id, made.templateVersion.id));
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={SHOWN} />
      <Select
        label="Channel"
        allowDeselect={false}
        data={CHANNEL_ORDER.map(value => ({ value, label: CHANNELS[value].label }))}
        value={input.channel}
        onChange={value => change({ channel: value as Channel })}
        error={refusalAt(refusals, 'channel')}
      />
      <Autocomplete
        label="Language"
        description="For example en or pt_BR."
        required
        data={LANGUAGES}
        value={input.language}
        onChange={language => change({ language })}
        error={refusalAt(refusals, 'language')}
      />
      {tree === undefined ? (
        <Textarea
          label={input.channel === 'EMAIL' ? 'HTML' : 'Text'}
          description="Use placeholders such as {{first_name}} for values of a person."
          required
          autosize
          minRows={4}
          value={input.body}
          onChange={({ currentTarget }) => change({ body: currentTarget.value })}
          error={refusalAt(refusals, 'body')}
        />
      ) : (
        <Text size="sm" c="dimmed">
          The draft is a copy of version {mainVersionOf(tree).number}.
        </Text>
      )}
      <TextInput
        label="Change note"
        description="For other members."
        value={input.note}
        onChange={({ currentTarget }) => change({ note: currentTarget.value })}
        error={refusalAt(refusals, 'note')}
      />
      <Button type="submit" loading={isRunning}>
        Create draft
      </Button>
    </Stack>
  );
}
