import { Alert, Button, Group, Text } from '@mantine/core';

type ConflictProps = { readonly onDiscard: () => void; readonly onKeep: () => void };

/** Somebody else saved the journey first: the viewer decides whose changes count. */
export function Conflict({ onDiscard, onKeep }: ConflictProps) {
  return (
    <Alert role="alert" color="red" variant="outline" title="The journey was not saved">
      <Text size="sm">
        Somebody else changed the journey after you opened it. Your changes are still in the form
        below.
      </Text>
      <Group mt="sm" gap="sm">
        <Button size="xs" variant="default" onClick={onDiscard}>
          Discard my changes and load the current journey
        </Button>
        <Button size="xs" variant="default" onClick={onKeep}>
          Keep my changes, to save them over the current journey
        </Button>
      </Group>
    </Alert>
  );
}
