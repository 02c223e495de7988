import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export type Figure = {
  readonly label: string;
  readonly value: ReactNode;
  /** A short explanation. */
  readonly hint?: ReactNode;
};

type FiguresProps = {
  readonly label: string;
  readonly figures: readonly Figure[];
  /** The number of columns on a wide screen. Defaults to one column per figure. */
  readonly columns?: number;
};

/** A row of key figures. */
export function Figures({ label, figures, columns = figures.length }: FiguresProps) {
  return (
    <SimpleGrid
      component="dl"
      aria-label={label}
      cols={{ base: 2, md: columns }}
      spacing={{ base: 'md', md: 'lg' }}
      m={0}
    >
      {figures.map(({ label, value, hint }) => (
        <Stack key={label} className="card" px="lg" py="md" gap={2} justify="flex-start">
          <Text component="dt" size="sm" c="dimmed" fw={550}>
            {label}
          </Text>
          <Group component="dd" m={0} fz={{ base: 20, sm: 25 }} fw={650} lh={1.25} lts="-0.01em">
            {value}
          </Group>
          {hint !== undefined && (
            <Text component="dd" m={0} size="xs" c="dimmed">
              {hint}
            </Text>
          )}
        </Stack>
      ))}
    </SimpleGrid>
  );
}
