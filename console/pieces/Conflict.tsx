import { Alert, Button, Group, Text } from '@mantine/core';

type ConflictProps = {
  /** What was saved, such as "journey". */
  readonly noun: string;
  readonly onDiscard: () => void;
  readonly onKeep: () => void;
};

/** Another user saved the object first: the viewer chooses which changes to keep. */
export function Conflict({ noun, onDiscard, onKeep }: ConflictProps) {
  return (
    <Alert role="alert" color="red" variant="outline" title={`The ${noun} wasn’t saved`}>
      <Text size="sm">
        Someone else changed the {noun} after you opened it. Your changes are still in the form
        below.
      </Text>
      <Group mt="sm" gap="sm">
        <Button size="xs" variant="default" onClick={onDiscard}>
          Discard my changes and load the latest {noun}
        </Button>
        <Button size="xs" variant="default" onClick={onKeep}>
          Keep my changes and overwrite the latest {noun}
        </Button>
      </Group>
    </Alert>
  );
}
