import { Button, Group, SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import { memo } from 'react';
import { inPlainWords } from '../../pieces/in-words.ts';
import { Choice } from './Choice.tsx';
import { CODES, EVENT_TYPES, FEEDBACK_TYPES } from './filter-values.ts';
import { MinuteChoice } from './MinuteChoice.tsx';
import type { Minute } from './minutes-of.ts';
import { TextFilter } from './TextFilter.tsx';
import { type Filter, isAsking, SHOWN, type Shown } from './use-filter.ts';

type FiltersProps = {
  readonly filter: Filter;
  readonly onChange: (part: Partial<Filter>) => void;
  /** Those of the chart. */
  readonly minutes: readonly Minute[];
};

const NONE: Filter = { shown: 'all', name: '', type: '', user: '', code: '', minute: '' };
const LABELS: Record<Shown, string> = { all: 'All', accepted: 'Accepted', rejected: 'Rejected' };
const REASONS = CODES.map(value => ({ value, label: inPlainWords(value) }));
const TYPES = [
  { group: 'Events', items: [...EVENT_TYPES] },
  { group: 'Campaign feedback', items: FEEDBACK_TYPES },
];

/** Not drawn again with each event. */
export const Filters = memo(function Filters({ filter, onChange, minutes }: FiltersProps) {
  return (
    <Stack component="search" gap="sm" aria-label="Filters">
      <Group gap="sm" justify="space-between">
        <SegmentedControl
          aria-label="Events to show"
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
        <TextFilter field="name" label="Name" value={filter.name} onChange={onChange} />
        <TextFilter field="user" label="User" value={filter.user} onChange={onChange} />
        <Choice
          field="type"
          label="Type"
          any="Any type"
          data={TYPES}
          value={filter.type}
          onChange={onChange}
        />
        <Choice
          field="code"
          label="Reason"
          any="Any reason"
          data={REASONS}
          value={filter.code}
          onChange={onChange}
        />
        <MinuteChoice minutes={minutes} minute={filter.minute} onChange={onChange} />
      </SimpleGrid>
    </Stack>
  );
});
