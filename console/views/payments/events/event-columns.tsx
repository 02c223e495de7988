// The columns of a list of events, one's own or everybody's.

import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { State } from '../../../pieces/State.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { PAYMENTS } from '../payment-paths.ts';
import { EVENT_STATES } from './event-states.ts';
import type { ListedEvent } from './events-query.ts';

export const EVENT_COLUMNS: readonly Column<ListedEvent>[] = [
  {
    title: 'Event',
    cell: ({ id, type }) => (
      <Anchor
        component={Link}
        href={PAYMENTS.event(id)}
        underline="hover"
        fw={600}
        className="mono"
        style={{ overflowWrap: 'anywhere' }}
      >
        {type}
      </Anchor>
    ),
  },
  { title: 'State', cell: ({ state }) => <State name={state} {...EVENT_STATES[state]} /> },
  { title: 'What it did', isWide: true, cell: event => <WhatItDid event={event} /> },
  { title: 'Came', cell: ({ receivedAt }) => <When at={receivedAt} isRelative /> },
];

function WhatItDid({ event }: { readonly event: ListedEvent }) {
  const { effects, error, nextAttemptAt } = event;
  if (effects.length > 0)
    return (
      <Group gap={6}>
        {effects.map(effect => (
          <span key={effect} className="mono">
            {effect}
          </span>
        ))}
      </Group>
    );
  return (
    <Stack gap={0}>
      <Text size="sm" c="dimmed" maw={420}>
        {error ?? 'Nothing'}
      </Text>
      {nextAttemptAt !== null && (
        <Text size="xs" c="dimmed">
          next try <When at={nextAttemptAt} isInSentence />
        </Text>
      )}
    </Stack>
  );
}
