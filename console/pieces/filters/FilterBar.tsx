import { Group, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import type { KeyboardEvent, ReactNode } from 'react';

/** Whether the input has paused. */
const TYPING_MS = 300;

type FilterBarProps = {
  /** Of the search, such as "Search by name". */
  readonly label: string;
  readonly placeholder?: string;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  /** The other filters. */
  readonly children: ReactNode;
};

/** The search of a list and its other filters, above its table. */
export function FilterBar(props: FilterBarProps) {
  const { label, placeholder = label, search, onSearch, children } = props;
  const searchSoon = useDebouncedCallback(onSearch, TYPING_MS);
  return (
    <Group component="search" gap="sm" p="lg" pb="md" aria-label="Filters">
      <TextInput
        aria-label={label}
        placeholder={placeholder}
        leftSection={<IconSearch size={16} aria-hidden />}
        defaultValue={search}
        onChange={({ currentTarget }) => searchSoon(currentTarget.value.trim())}
        onKeyDown={event => event.key === 'ArrowDown' && focusFirstRow(event)}
        flex="1 1 220px"
      />
      {children}
    </Group>
  );
}

/** From the search, Arrow Down goes to what the first row of the list opens. */
function focusFirstRow(event: KeyboardEvent): void {
  const row = document.querySelector<HTMLElement>('#main tbody :is(a[href], button)');
  if (row === null) return;
  event.preventDefault();
  row.focus();
}
