import { Button, Group, SegmentedControl, Select, SimpleGrid, Stack } from '@mantine/core';
import { memo } from 'react';
import { inCount, inMinute } from '../../pieces/in-words.ts';
import { CODES, EVENT_TYPES, FEEDBACK_TYPES } from './filter-values.ts';
import type { Minute } from './minutes-of.ts';
import { TextFilter } from './TextFilter.tsx';
import { type Filter, isAsking, SHOWN, type Shown } from './use-filter.ts';

type FiltersProps = {
  readonly filter: Filter;
  readonly minutes: readonly Minute[];
  readonly onChange: (part: Partial<Filter>) => void;
};

const NONE: Filter = { shown: 'all', name: '', type: '', user: '', code: '', minute: '' };
const LABELS: Record<Shown, string> = { all: 'All', accepted: 'Accepted', rejected: 'Rejected' };
const TYPES = [
  { group: 'Events', items: [...EVENT_TYPES] },
  { group: 'Campaign feedback', items: FEEDBACK_TYPES },
];

export const Filters = memo(function Filters({ filter, minutes, onChange }: FiltersProps) {
  return (
    <Stack component="search" gap="sm" aria-label="Filters">
      <Group gap="sm" justify="space-between">
        <SegmentedControl
          aria-label="What is shown"
          data={SHOWN.map(value => ({ value, label: LABELS[value] }))}
          value={filter.shown}
          onChange={shown => onChange({ shown: shown as Shown })}
        />
        {isAsking(filter) && (
          <Button variant="subtle" size="compact-md" onClick={() => onChange(NONE)}>
            Clear filters
          </Button>
        )}
      </Group>
      <SimpleGrid cols={{ base: 2, lg: 5 }} spacing="sm" verticalSpacing="sm">
        <TextFilter label="Name" value={filter.name} onChange={name => onChange({ name })} />
        <TextFilter label="User" value={filter.user} onChange={user => onChange({ user })} />
        <Choice
          label="Type"
          any="Any type"
          data={withChosen(TYPES, filter.type)}
          value={filter.type}
          onChange={type => onChange({ type })}
        />
        <Choice
          label="Reason"
          any="Any reason"
          data={withChosen(CODES, filter.code)}
          value={filter.code}
          onChange={code => onChange({ code })}
        />
        <Choice
          label="Minute"
          any="Last minutes"
          data={minuteOptions(minutes, filter.minute)}
          value={filter.minute}
          onChange={minute => onChange({ minute })}
        />
      </SimpleGrid>
    </Stack>
  );
});

type Option = string | { readonly value: string; readonly label: string };
type Options = readonly (Option | { readonly group: string; readonly items: readonly string[] })[];

/** A URL can have a value that is not in the list. */
function withChosen(options: Options, value: string): Options {
  const isListed = options.some(option =>
    typeof option === 'object' && 'items' in option
      ? option.items.includes(value)
      : option === value,
  );
  return value === '' || isListed ? options : [value, ...options];
}

function minuteOptions(minutes: readonly Minute[], chosen: string): Option[] {
  const options = minutes.map(({ startMs, accepted, rejected }) => ({
    value: new Date(startMs).toISOString(),
    label: `${inMinute(startMs)} (${inCount(accepted + rejected)})`,
  }));
  const isListed = chosen === '' || options.some(({ value }) => value === chosen);
  const older = isListed ? [] : [{ value: chosen, label: inMinute(Date.parse(chosen)) }];
  return [...options.reverse(), ...older];
}

type ChoiceProps = {
  readonly label: string;
  readonly any: string;
  readonly data: Options;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

function Choice({ label, any, data, value, onChange }: ChoiceProps) {
  return (
    <Select
      aria-label={label}
      placeholder={any}
      data={data as Option[]}
      value={value === '' ? null : value}
      clearable
      searchable
      comboboxProps={{ width: 240, position: 'bottom-start' }}
      clearButtonProps={{ 'aria-label': any }}
      onChange={next => onChange(next ?? '')}
    />
  );
}
