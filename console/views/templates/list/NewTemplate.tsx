import { Button, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { useQuery } from 'urql';
import { useLocation } from 'wouter';
import { graphql } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { CHANNELS } from '../../../pieces/channels.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { NOT_BLANK } from '../../../pieces/not-blank.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { templatePath } from '../template-paths.ts';

const CATALOG = graphql(`
  query TemplateCatalog {
    catalogEntries(first: 20) {
      nodes { id name description versions { channel language } }
    }
  }
`);

const CREATE = graphql(`
  mutation TemplateCreate($input: TemplateCreateInput!) {
    templateCreate(input: $input) { template { id } userErrors { message field } }
  }
`);

const FROM_CATALOG = graphql(`
  mutation TemplateFromCatalog($input: TemplateFromCatalogEntryInput!) {
    templateFromCatalogEntry(input: $input) { template { id } userErrors { message field } }
  }
`);

type NewTemplateProps = { readonly isOpen: boolean; readonly onClose: () => void };

export function NewTemplate({ isOpen, onClose }: NewTemplateProps) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title="New template" size="lg">
      <Form />
    </Dialog>
  );
}

/** In the place of a catalog entry's ID. */
const BLANK = '';

function Form() {
  const [, go] = useLocation();
  const [input, setInput] = useState({ entryId: BLANK, name: '', description: '' });
  const asked = useQuery({ query: CATALOG });
  const create = useAction(CREATE, { isFormShowing: true });
  const copy = useAction(FROM_CATALOG, { isFormShowing: true });
  const isBlank = input.entryId === BLANK;
  const { refusals, isRunning } = isBlank ? create : copy;
  const change = (part: Partial<typeof input>) => setInput({ ...input, ...part });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const { entryId: catalogEntryId, name, description } = input;
    const made = isBlank
      ? (await create.run({ input: { name, description } }))?.templateCreate
      : (await copy.run({ input: { catalogEntryId, name: name || null } }))
          ?.templateFromCatalogEntry;
    if (made?.template) go(templatePath(made.template.id));
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={['name', 'description']} />
      <Asked asked={asked} label="Loading ready-made templates">
        {({ catalogEntries }) => (
          <Entries
            entries={catalogEntries.nodes}
            value={input.entryId}
            onChange={entryId => change({ entryId })}
          />
        )}
      </Asked>
      <TextInput
        label="Name"
        description="Internal name."
        required={isBlank}
        pattern={NOT_BLANK}
        data-autofocus
        placeholder={isBlank ? '' : 'Same as the ready-made template'}
        value={input.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        error={refusalAt(refusals, 'name')}
      />
      {isBlank && (
        <Textarea
          label="Description"
          autosize
          minRows={2}
          value={input.description}
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
          error={refusalAt(refusals, 'description')}
        />
      )}
      <Button type="submit" loading={isRunning}>
        Create template
      </Button>
    </Stack>
  );
}

type Entry = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly versions: readonly { readonly channel: keyof typeof CHANNELS }[];
};

type EntriesProps = {
  readonly entries: readonly Entry[];
  readonly value: string;
  readonly onChange: (id: string) => void;
};

function Entries({ entries, value, onChange }: EntriesProps) {
  return (
    <Radio.Group label="Start from" value={value} onChange={onChange}>
      <Stack gap="xs" mt={6}>
        <Radio.Card value={BLANK} p="sm">
          <Choice title="Blank" about="Start from scratch." />
        </Radio.Card>
        {entries.map(({ id, name, description, versions }) => (
          <Radio.Card key={id} value={id} p="sm">
            <Choice
              title={name}
              about={`${description} ${channelsOf(versions).join(', ')}.`.trim()}
            />
          </Radio.Card>
        ))}
      </Stack>
    </Radio.Group>
  );
}

function Choice({ title, about }: { readonly title: string; readonly about: string }) {
  return (
    <Stack gap={2} ps="xs">
      <Text size="sm" fw={600}>
        <Radio.Indicator size="xs" me="xs" style={{ verticalAlign: -2 }} display="inline-flex" />
        {title}
      </Text>
      <Text size="xs" c="dimmed">
        {about}
      </Text>
    </Stack>
  );
}

function channelsOf(versions: Entry['versions']): string[] {
  return [...new Set(versions.map(({ channel }) => CHANNELS[channel].label))];
}
