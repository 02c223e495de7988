import { Stack, Text, Title } from '@mantine/core';
import { IconMoodEmpty } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';

type EmptyProps = {
  readonly title: string;
  /** The suggested action: a sentence, a button, a command to paste. */
  readonly children?: ReactNode;
  readonly icon?: ComponentType<{ size?: number; stroke?: number }>;
};

export function Empty({ title, children, icon: Icon = IconMoodEmpty }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" py={56} px="md" ta="center">
      <Icon size={40} stroke={1.3} aria-hidden />
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text component="div" c="dimmed" size="sm" maw={460}>
        {children}
      </Text>
    </Stack>
  );
}
