import '../../../pieces/tone-bar.css';
import { Group, Stack, Text } from '@mantine/core';
import { inCount } from '../../../pieces/in-words.ts';
import type { ListedEndpoint } from './endpoints-query.ts';

const PARTS = [
  { part: 'delivered', word: 'delivered', tone: 'good' },
  { part: 'failed', word: 'failed', tone: 'bad' },
  { part: 'pending', word: 'pending', tone: 'waiting' },
  { part: 'cancelled', word: 'not sent', tone: 'quiet' },
] as const;

/** The deliveries of a day by result, as a bar and as numbers. */
export function DayBar({ counts }: { readonly counts: ListedEndpoint['lastDay'] }) {
  const shown = PARTS.filter(({ part }) => counts[part] > 0);
  return (
    <Stack gap={6}>
      <div className="tone-bar" aria-hidden>
        {shown.map(({ part, tone }) => (
          <span key={part} data-tone={tone} style={{ flexGrow: counts[part] }} />
        ))}
      </div>
      <Group gap={4} fz="xs">
        <Text inherit c="dimmed">
          24 hours:
        </Text>
        <Text inherit fw={600}>
          {shown.length === 0
            ? 'nothing'
            : shown.map(({ part, word }) => `${inCount(counts[part])} ${word}`).join(', ')}
        </Text>
      </Group>
    </Stack>
  );
}
