import { Group, Text } from '@mantine/core';

type SuggestionProps = { readonly text: string; readonly note: string | undefined };

/** A line of a list of suggestions. */
export function Suggestion({ text, note }: SuggestionProps) {
  return (
    <Group justify="space-between" gap="0 md">
      <span style={{ overflowWrap: 'anywhere' }}>{text}</span>
      {note !== undefined && (
        <Text span size="xs" style={{ whiteSpace: 'nowrap' }}>
          {note}
        </Text>
      )}
    </Group>
  );
}
