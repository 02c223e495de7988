import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { DayFilter } from './DayFilter.tsx';
import { METHOD_GROUPS } from './payment-methods.ts';
import { type Chosen, STATUS_OPTIONS } from './use-payment-filter.ts';

type PaymentFiltersProps = {
  readonly chosen: Chosen;
  readonly onChoose: (name: keyof Chosen, value: string) => void;
};

const TYPING_MS = 300;
const METHOD_OPTIONS = METHOD_GROUPS.map(({ value, label }) => ({ value, label }));

export function PaymentFilters({ chosen, onChoose }: PaymentFiltersProps) {
  const searchSoon = useDebouncedCallback((text: string) => onChoose('search', text), TYPING_MS);
  return (
    <Group component="search" p="lg" pb="md" gap="sm" align="flex-end" aria-label="Payments">
      <TextInput
        label="Search"
        placeholder="ID, or words of the purpose or note"
        size="xs"
        flex="1 1 260px"
        leftSection={<IconSearch size={15} aria-hidden />}
        defaultValue={chosen.search}
        onChange={({ currentTarget }) => searchSoon(currentTarget.value.trim())}
        onKeyDown={({ key, currentTarget }) => {
          if (key !== 'Escape') return;
          currentTarget.value = '';
          searchSoon('');
        }}
      />
      <Select
        label="State"
        placeholder="Any state"
        size="xs"
        flex="1 1 130px"
        maw={{ sm: 180 }}
        data={STATUS_OPTIONS}
        value={chosen.status || null}
        clearable
        clearButtonProps={{ 'aria-label': 'Any state' }}
        onChange={value => onChoose('status', value ?? '')}
      />
      <Select
        label="Method"
        placeholder="Any method"
        size="xs"
        flex="1 1 130px"
        maw={{ sm: 180 }}
        data={METHOD_OPTIONS}
        value={chosen.method || null}
        clearable
        clearButtonProps={{ 'aria-label': 'Any method' }}
        onChange={value => onChoose('method', value ?? '')}
      />
      <DayFilter chosen={chosen} onChoose={onChoose} />
    </Group>
  );
}
