import './save-bar.css';
import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

type SaveBarProps = {
  readonly isChanged: boolean;
  /** Of a form that saves itself: what became of the changes. */
  readonly state?: string | undefined;
  /** The buttons, the main one last. */
  readonly children: ReactNode;
};

/** The foot of a long form, in view wherever one types. */
export function SaveBar({ isChanged, state, children }: SaveBarProps) {
  return (
    <Group className="card save-bar" justify="space-between" px="lg" py="sm" gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {state ?? (isChanged ? 'Unsaved changes' : 'No unsaved changes')}
      </Text>
      <Group gap="sm">{children}</Group>
    </Group>
  );
}
