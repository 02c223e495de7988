import { Box, Group, Text } from '@mantine/core';
import type { Series } from './chart-props.ts';
import { TONE_COLORS } from './tones.ts';

/** Which color is which series; nothing if there is only one. */
export function Legend({ series }: { readonly series: readonly Series[] }) {
  if (series.length < 2) return null;
  return (
    <Group gap="md" justify="flex-end" mb={4}>
      {series.map(({ name, tone }) => (
        <Group key={name} gap={6} wrap="nowrap">
          <Swatch tone={tone} />
          <Text size="xs" c="dimmed">
            {name}
          </Text>
        </Group>
      ))}
    </Group>
  );
}

export function Swatch({ tone }: Pick<Series, 'tone'>) {
  return <Box w={10} h={10} bdrs={3} style={{ background: TONE_COLORS[tone], flex: 'none' }} />;
}
