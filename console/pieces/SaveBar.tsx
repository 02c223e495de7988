import './save-bar.css';
import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

type SaveBarProps = {
  readonly isChanged: boolean;
  /** Shown while nothing is unsaved. */
  readonly saved?: string;
  /** The buttons, the main one last. */
  readonly children: ReactNode;
};

/** The foot of a long form, in view wherever one types. */
export function SaveBar({ isChanged, saved = 'No unsaved changes', children }: SaveBarProps) {
  return (
    <Group className="card save-bar" justify="space-between" px="lg" py="sm" gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {isChanged ? 'Unsaved changes' : saved}
      </Text>
      <Group gap="sm">{children}</Group>
    </Group>
  );
}
