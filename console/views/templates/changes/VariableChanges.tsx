import { Alert, Code, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconVariable } from '@tabler/icons-react';
import type { VariableDiff } from './Changes.tsx';

const CHANGES: Readonly<Record<VariableDiff['change'], string>> = {
  ADDED: 'is new',
  REMOVED: 'is not asked for any more',
  TYPE_CHANGED: 'is of another type',
  NOW_REQUIRED: 'has no default any more',
  NOW_OPTIONAL: 'has a default now',
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
      title={isBreaking ? 'It asks for more than before' : 'It asks for other values'}
    >
      {changes.map(({ name, change }) => (
        <Group key={name} gap={6}>
          <Code>{name}</Code>
          <Text size="sm">{CHANGES[change]}</Text>
        </Group>
      ))}
      {isBreaking && (
        <Text size="sm" mt="xs">
          Whose data lacks one of them is sent nothing by it.
        </Text>
      )}
    </Alert>
  );
}
