import { Code, Group, Text } from '@mantine/core';

const CHOICES_SHOWN_MAX = 4;

/** The subscribed events. */
export function Choices({ choices }: { readonly choices: readonly string[] }) {
  if (choices.length === 0) return <Text size="sm">All events</Text>;
  const more = choices.length - CHOICES_SHOWN_MAX;
  return (
    <Group gap={6}>
      {choices.slice(0, CHOICES_SHOWN_MAX).map(choice => (
        <Code key={choice}>{choice}</Code>
      ))}
      {more > 0 && (
        <Text size="sm" c="dimmed">
          and {more} more
        </Text>
      )}
    </Group>
  );
}
