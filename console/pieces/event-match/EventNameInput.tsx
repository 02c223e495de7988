import { Autocomplete, Group, Text } from '@mantine/core';
import { inShort } from '../in-words.ts';
import { suggest } from './suggest.ts';
import { useEventNames } from './use-event-names.ts';

type EventNameInputProps = {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (name: string) => void;
};

/** Suggests the events of the workspace, the most frequent first; any other name can be typed. */
export function EventNameInput({ label, placeholder, value, onChange }: EventNameInputProps) {
  const names = useEventNames() ?? [];
  const totals = new Map(names.map(({ name, total }) => [name, total]));
  return (
    <Autocomplete
      aria-label={label}
      placeholder={placeholder}
      data={names.map(({ name }) => name)}
      value={value}
      onChange={onChange}
      filter={suggest}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" gap="md" flex={1}>
          <span style={{ overflowWrap: 'anywhere' }}>{option.value}</span>
          <Text span size="xs" c="dimmed">
            {inShort(totals.get(option.value) ?? 0)}
          </Text>
        </Group>
      )}
      flex={1}
      miw={0}
    />
  );
}
