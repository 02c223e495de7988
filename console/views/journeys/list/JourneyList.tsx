import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { FilterBar } from '../../../pieces/filters/FilterBar.tsx';
import { FilterSelect } from '../../../pieces/filters/FilterSelect.tsx';
import { useAddressFilters } from '../../../pieces/filters/use-address-filters.ts';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { Page } from '../../../pieces/Page.tsx';
import { NEW_JOURNEY } from '../journey-paths.ts';
import { type JourneyStatus, STATUSES } from '../journey-words.ts';
import { Found } from './Found.tsx';
import { JOURNEY_LIST } from './list-query.ts';

const STATUS_OPTIONS = STATUSES.map(value => ({ value, label: inPlainWords(value) }));
/** An empty list has no types, so it must be told to refetch once a journey exists. */
const CONTEXT = { additionalTypenames: ['Journey'] };

export function JourneyList() {
  const { params, change, clear } = useAddressFilters();
  const [clearings, setClearings] = useState(0);
  const search = params.get('search') ?? '';
  // The address can contain any text; an unknown state is ignored.
  const status = STATUSES.find(one => one === params.get('status'));
  const variables = status === undefined ? {} : { status };
  const asked = useQuery({ query: JOURNEY_LIST, variables, context: CONTEXT });
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
                clear();
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
  return (
    <FilterBar label="Search by name" search={search} onSearch={text => onChange('search', text)}>
      <FilterSelect
        label="State"
        all="Any state"
        options={STATUS_OPTIONS}
        value={status}
        onChange={value => onChange('status', value)}
      />
    </FilterBar>
  );
}
