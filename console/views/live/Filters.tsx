import { Button, Group, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { type Filter, isAsking, SHOWN, type Shown } from './use-filter.ts';

type FiltersProps = { readonly filter: Filter; readonly onChange: (part: Partial<Filter>) => void };

const NONE: Filter = { shown: 'all', name: '', type: '', user: '', code: '' };
/** So that the list does not restart with each letter. */
const TYPING_MS = 400;
const LABELS: Record<Shown, string> = { all: 'All', accepted: 'Accepted', rejected: 'Rejected' };
const FIELDS = [
  { field: 'name', label: 'Name', hint: 'Order*' },
  { field: 'type', label: 'Type', hint: 'track' },
  { field: 'user', label: 'User', hint: 'user-1' },
  { field: 'code', label: 'Code', hint: 'MISSING_FIELD' },
] as const;

export function Filters({ filter, onChange }: FiltersProps) {
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
            Clear the filters
          </Button>
        )}
      </Group>
      <SimpleGrid cols={{ base: 2, lg: 4 }} spacing="sm" verticalSpacing="sm">
        {FIELDS.map(({ field, label, hint }) => (
          <TextFilter
            key={field}
            label={label}
            hint={hint}
            value={filter[field]}
            onChange={text => onChange({ [field]: text })}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

type TextFilterProps = {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
};

function TextFilter({ label, hint, value, onChange }: TextFilterProps) {
  const [text, setText] = useState(value);
  const changeSoon = useDebouncedCallback(onChange, TYPING_MS);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      aria-label={label}
      leftSection={
        <Text size="xs" c="dimmed" fw={600} aria-hidden>
          {label}
        </Text>
      }
      leftSectionWidth={54}
      placeholder={hint}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        changeSoon(currentTarget.value.trim());
      }}
    />
  );
}
