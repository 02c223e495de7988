import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** One line of the health card: its label on the left, its value on the right. */
export function Fact({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}) {
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="div" size="sm" fw={600}>
        {children}
      </Text>
    </Group>
  );
}
