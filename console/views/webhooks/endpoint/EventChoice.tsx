import { Box, ScrollArea, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { EVENT_TYPES } from '../endpoint-query.ts';
import { FamilyChoice } from './FamilyChoice.tsx';

type EventChoiceProps = {
  /** Types and families; none is all. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
};

const WAYS = [
  { value: 'all', label: 'All events' },
  { value: 'some', label: 'Selected events' },
];

/**
 * The subscription of an endpoint: all events, including future types, or selected families and
 * types.
 */
export function EventChoice({ chosen, onChange }: EventChoiceProps) {
  const [way, setWay] = useState(chosen.length === 0 ? 'all' : 'some');
  const change = (next: string) => {
    setWay(next);
    if (next === 'all') onChange([]);
  };
  return (
    <Stack gap="xs">
      <Text component="h3" size="sm" fw={500} m={0}>
        Events
      </Text>
      <SegmentedControl aria-label="Events" data={WAYS} value={way} onChange={change} />
      {way === 'all' ? (
        <Text size="sm" c="dimmed">
          All event types, including future ones.
        </Text>
      ) : (
        <Families chosen={chosen} onChange={onChange} />
      )}
    </Stack>
  );
}

function Families({ chosen, onChange }: EventChoiceProps) {
  const asked = useQuery({ query: EVENT_TYPES });
  const [isNoneSaid] = useState(chosen.length === 0);
  return (
    <Asked asked={asked} label="Loading event types">
      {({ webhookEventTypes }) => (
        <Box>
          <ScrollArea.Autosize
            mah="22rem"
            type="auto"
            offsetScrollbars
            viewportProps={{ tabIndex: 0 }}
          >
            <Stack gap={0}>
              {webhookEventTypes.map(family => (
                <FamilyChoice
                  key={family.choice}
                  family={family}
                  chosen={chosen}
                  onChange={onChange}
                />
              ))}
            </Stack>
          </ScrollArea.Autosize>
          {isNoneSaid && chosen.length === 0 && (
            <Text size="xs" c="dimmed" mt="xs">
              Nothing selected: all events are sent.
            </Text>
          )}
        </Box>
      )}
    </Asked>
  );
}
