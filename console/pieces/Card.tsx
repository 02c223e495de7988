import { Box, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';

type CardProps = {
  readonly title?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** For a table, which brings its own. */
  readonly isFlush?: boolean;
};

export function Card({ title, actions, children, isFlush = false }: CardProps) {
  return (
    <Box component="section" className="card" aria-label={title} style={{ overflow: 'hidden' }}>
      {(title !== undefined || actions !== undefined) && (
        <Group justify="space-between" px="lg" pt="md" pb={isFlush ? 'sm' : 0} gap="sm" mih={46}>
          <Title order={2} size="h5">
            {title}
          </Title>
          <Group gap="xs">{actions}</Group>
        </Group>
      )}
      <Box p={isFlush ? 0 : 'lg'}>{children}</Box>
    </Box>
  );
}
