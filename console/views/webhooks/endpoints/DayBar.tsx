import '../../../pieces/tone-bar.css';
import { Group, Stack, Text } from '@mantine/core';
import { inCount } from '../../../pieces/in-words.ts';
import type { ListedEndpoint } from './endpoints-query.ts';

type Counts = ListedEndpoint['lastDay'];

const PARTS: readonly { word: string; tone: string; countOf: (counts: Counts) => number }[] = [
  { word: 'delivered', tone: 'good', countOf: ({ delivered }) => delivered },
  { word: 'failed', tone: 'bad', countOf: ({ failed }) => failed },
  { word: 'retrying', tone: 'waiting', countOf: ({ retrying }) => retrying },
  { word: 'pending', tone: 'info', countOf: ({ pending, retrying }) => pending - retrying },
  { word: 'not sent', tone: 'quiet', countOf: ({ cancelled }) => cancelled },
];

/** The deliveries of a day by result, as a bar and as numbers. */
export function DayBar({ counts }: { readonly counts: Counts }) {
  const shown = PARTS.map(({ countOf, ...part }) => ({ ...part, count: countOf(counts) })).filter(
    ({ count }) => count > 0,
  );
  return (
    <Stack gap={6}>
      <div className="tone-bar" aria-hidden>
        {shown.map(({ word, tone, count }) => (
          <span key={word} data-tone={tone} style={{ flexGrow: count }} />
        ))}
      </div>
      <Group gap={4} fz="xs">
        <Text inherit c="dimmed">
          24 hours:
        </Text>
        <Text inherit fw={600}>
          {shown.length === 0
            ? 'nothing'
            : shown.map(({ count, word }) => `${inCount(count)} ${word}`).join(', ')}
        </Text>
      </Group>
    </Stack>
  );
}
