import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { SUBJECTS } from './audit-words.ts';
import { type Chosen, PERIODS } from './use-audit-filter.ts';

type AuditFiltersProps = {
  readonly chosen: Chosen;
  readonly onChoose: (name: keyof Chosen, value: string) => void;
};

const TYPING_MS = 300;
const SUBJECT_OPTIONS = Object.entries(SUBJECTS)
  .map(([value, label]) => ({ value, label: label.charAt(0).toUpperCase() + label.slice(1) }))
  .toSorted((one, other) => one.label.localeCompare(other.label));

export function AuditFilters({ chosen, onChoose }: AuditFiltersProps) {
  const actorSoon = useDebouncedCallback((text: string) => onChoose('actor', text), TYPING_MS);
  return (
    <Group component="search" gap="sm" px="lg" pb="md" aria-label="Filters">
      <TextInput
        aria-label="Actor"
        placeholder="Actor's user ID"
        leftSection={<IconSearch size={16} aria-hidden />}
        defaultValue={chosen.actor}
        onChange={({ currentTarget }) => actorSoon(currentTarget.value.trim())}
        flex="1 1 180px"
      />
      <Select
        aria-label="Object"
        placeholder="Any object"
        data={SUBJECT_OPTIONS}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Any object' }}
        value={chosen.subject || null}
        onChange={value => onChoose('subject', value ?? '')}
        flex="1 1 150px"
      />
      <Select
        aria-label="Time"
        placeholder="Any time"
        data={PERIODS}
        clearable
        clearButtonProps={{ 'aria-label': 'Any time' }}
        value={chosen.days || null}
        onChange={value => onChoose('days', value ?? '')}
        flex="1 1 130px"
        maw={{ sm: 180 }}
      />
    </Group>
  );
}
