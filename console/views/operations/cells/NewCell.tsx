import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { NOT_BLANK } from '../../../pieces/not-blank.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { CREATE } from './cells-query.ts';

/** As the API checks it. */
const SLUG = '[a-z][a-z0-9\\-]{0,31}';
const SLUG_CHARACTERS_MAX = 32;
const REGION_CHARACTERS_MAX = 100;

/** Registers a warehouse that is already configured. */
export function NewCell({ onDone }: { readonly onDone: () => void }) {
  const [slug, setSlug] = useState('');
  const [region, setRegion] = useState('');
  const { run, isRunning, refusals } = useAction(CREATE, {
    isFormShowing: true,
    done: 'The cell was created.',
    changes: ['Cell'],
  });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (await run({ input: { slug, region: region.trim() } })) onDone();
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={['slug', 'region']} />
      <TextInput
        label="Name"
        description="Lowercase letters, digits and hyphens. It can’t be changed later."
        required
        pattern={SLUG}
        maxLength={SLUG_CHARACTERS_MAX}
        data-autofocus
        value={slug}
        onChange={({ currentTarget }) => setSlug(currentTarget.value)}
        error={refusalAt(refusals, 'slug')}
      />
      <TextInput
        label="Region"
        description="Owners choose it when they create a workspace."
        required
        pattern={NOT_BLANK}
        maxLength={REGION_CHARACTERS_MAX}
        value={region}
        onChange={({ currentTarget }) => setRegion(currentTarget.value)}
        error={refusalAt(refusals, 'region')}
      />
      <Text size="sm">
        First set its ClickHouse address, <span className="mono">{variableOf(slug)}</span>, in every
        ingest node and API process: new workspaces of the region can be in this cell at once.
      </Text>
      <Button type="submit" loading={isRunning}>
        Create cell
      </Button>
    </Stack>
  );
}

/** The environment variable with the address of the cell. */
function variableOf(slug: string): string {
  return `CLICKHOUSE_URL_${slug === '' ? '…' : slug.toUpperCase().replaceAll('-', '_')}`;
}
