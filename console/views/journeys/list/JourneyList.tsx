import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Link, useSearchParams } from 'wouter';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { Page } from '../../../pieces/Page.tsx';
import { NEW_JOURNEY } from '../journey-paths.ts';
import { type JourneyStatus, STATUSES } from '../journey-words.ts';
import { Found } from './Found.tsx';
import { JOURNEY_LIST } from './list-query.ts';

/** Whether the input has paused. */
const TYPING_MS = 300;
/** An empty list has no types, so it must be told to refetch once a journey exists. */
const CONTEXT = { additionalTypenames: ['Journey'] };

export function JourneyList() {
  const [params, setParams] = useSearchParams();
  const [clearings, setClearings] = useState(0);
  const search = params.get('search') ?? '';
  // The address can contain any text; an unknown state is ignored.
  const status = STATUSES.find(one => one === params.get('status'));
  const variables = status === undefined ? {} : { status };
  const asked = useQuery({ query: JOURNEY_LIST, variables, context: CONTEXT });
  const change = (name: string, value: string) =>
    setParams(
      before => {
        const next = new URLSearchParams(before);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return (
    <Page
      title="Journeys"
      about="Sequences of messages, in-app widgets and waits that people go through step by step."
      actions={
        <Button component={Link} href={NEW_JOURNEY} leftSection={<IconPlus size={17} />}>
          New journey
        </Button>
      }
    >
      <Card isFlush>
        <Filters key={clearings} search={search} status={status} onChange={change} />
        <Asked asked={asked} label="Loading journeys">
          {data => (
            <Found
              data={data}
              search={search}
              variables={variables}
              onClear={() => {
                setParams({}, { replace: true });
                // Also empties the search field.
                setClearings(clearings + 1);
              }}
            />
          )}
        </Asked>
      </Card>
    </Page>
  );
}

type FiltersProps = {
  readonly search: string;
  readonly status: JourneyStatus | undefined;
  readonly onChange: (name: string, value: string) => void;
};

function Filters({ search, status, onChange }: FiltersProps) {
  const searchSoon = useDebouncedCallback((text: string) => onChange('search', text), TYPING_MS);
  return (
    <Group component="search" gap="sm" p="lg" pb="md" aria-label="Filters">
      <TextInput
        aria-label="Search by name"
        placeholder="Search by name"
        leftSection={<IconSearch size={16} aria-hidden />}
        defaultValue={search}
        onChange={({ currentTarget }) => searchSoon(currentTarget.value.trim())}
        flex="1 1 220px"
      />
      <Select
        aria-label="State"
        data={[
          { value: '', label: 'Any state' },
          ...STATUSES.map(one => ({ value: one, label: inPlainWords(one) })),
        ]}
        value={status ?? ''}
        onChange={value => onChange('status', value ?? '')}
        allowDeselect={false}
        w={150}
      />
    </Group>
  );
}
