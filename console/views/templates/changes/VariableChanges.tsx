import { Alert, Code, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconVariable } from '@tabler/icons-react';
import type { VariableDiff } from './Changes.tsx';

const CHANGES: Readonly<Record<VariableDiff['change'], string>> = {
  ADDED: 'is new',
  REMOVED: 'was removed',
  TYPE_CHANGED: 'has a different type',
  NOW_REQUIRED: 'no longer has a default',
  NOW_OPTIONAL: 'now has a default',
};

type VariableChangesProps = {
  readonly changes: readonly VariableDiff[];
  readonly isBreaking: boolean;
};

/** Changed variables can break messages to people in flight. */
export function VariableChanges({ changes, isBreaking }: VariableChangesProps) {
  if (changes.length === 0) return null;
  return (
    <Alert
      variant={isBreaking ? 'outline' : 'default'}
      {...(isBreaking && { color: 'red' })}
      icon={isBreaking ? <IconAlertTriangle /> : <IconVariable />}
      title={isBreaking ? 'More values required' : 'Values changed'}
    >
      {changes.map(({ name, change }) => (
        <Group key={name} gap={6}>
          <Code>{name}</Code>
          <Text size="sm">{CHANGES[change]}</Text>
        </Group>
      ))}
      {isBreaking && (
        <Text size="sm" mt="xs">
          People whose data lacks one of these values don’t receive the message.
        </Text>
      )}
    </Alert>
  );
}
