import { Group, Select } from '@mantine/core';
import { useQuery } from 'urql';
import { EVENT_TYPES } from '../endpoint-query.ts';
import { DELIVERY_STATES, OUTCOMES } from '../endpoint-words.ts';
import type { Choose, Chosen } from './use-delivery-filter.ts';

type DeliveryFiltersProps = { readonly chosen: Chosen; readonly onChoose: Choose };

const STATES = Object.entries(DELIVERY_STATES).map(([value, { label }]) => ({ value, label }));
const LAST_OUTCOMES = Object.entries(OUTCOMES).map(([value, label]) => ({ value, label }));
const TIMES = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
];

export function DeliveryFilters({ chosen, onChoose }: DeliveryFiltersProps) {
  const types = useTypes();
  return (
    <Group px="lg" pb="md" gap="sm" role="search" aria-label="Deliveries">
      <Filter
        label="State"
        any="Any state"
        data={STATES}
        value={chosen.state}
        onChange={value => onChoose('state', value)}
      />
      <Filter
        label="Last response"
        any="Any response"
        data={LAST_OUTCOMES}
        value={chosen.outcome}
        onChange={value => onChoose('outcome', value)}
      />
      <Filter
        label="Event type"
        any="Any event"
        data={types}
        value={chosen.type}
        isSearchable
        onChange={value => onChoose('type', value)}
      />
      <Filter
        label="Time"
        any="Last 30 days"
        data={TIMES}
        value={chosen.hours}
        onChange={value => onChoose('hours', value)}
      />
    </Group>
  );
}

/** Families first, each with its types below it. */
function useTypes() {
  const [{ data }] = useQuery({ query: EVENT_TYPES });
  return (data?.webhookEventTypes ?? []).flatMap(({ choice, types }) => [
    choice,
    ...types.map(({ type }) => type),
  ]);
}

type FilterProps = {
  readonly label: string;
  readonly any: string;
  readonly data: readonly (string | { value: string; label: string })[];
  readonly value: string | undefined;
  readonly isSearchable?: boolean;
  readonly onChange: (value: string | null) => void;
};

function Filter({ label, any, data, value, isSearchable = false, onChange }: FilterProps) {
  return (
    <Select
      aria-label={label}
      placeholder={any}
      size="xs"
      flex="1 1 9rem"
      maw={{ sm: 200 }}
      data={[...data]}
      value={value ?? null}
      searchable={isSearchable}
      clearable
      clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
      onChange={onChange}
    />
  );
}
