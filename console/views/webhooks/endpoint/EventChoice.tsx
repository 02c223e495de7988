import { Input, ScrollArea, SegmentedControl, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { EVENT_TYPES } from '../endpoint-query.ts';
import { FamilyChoice } from './FamilyChoice.tsx';

/** Undefined is all events; otherwise types and families. */
export type ChosenEvents = readonly string[] | undefined;

type EventChoiceProps = {
  readonly chosen: ChosenEvents;
  readonly onChange: (chosen: ChosenEvents) => void;
  readonly error: string | undefined;
};

const WAYS = [
  { value: 'all', label: 'All events' },
  { value: 'some', label: 'Selected events' },
];

/**
 * The subscription of an endpoint: all events, including future types, or selected families and
 * types.
 */
export function EventChoice({ chosen, onChange, error }: EventChoiceProps) {
  return (
    <Stack gap="xs">
      <Text component="h3" size="sm" fw={500} m={0}>
        Events
      </Text>
      <SegmentedControl
        aria-label="Events"
        data={WAYS}
        value={chosen === undefined ? 'all' : 'some'}
        onChange={next => onChange(next === 'all' ? undefined : [])}
      />
      {error !== undefined && <Missing error={error} />}
      {chosen === undefined ? (
        <Text size="sm" c="dimmed">
          All event types, including future ones.
        </Text>
      ) : (
        <Families chosen={chosen} onChange={onChange} />
      )}
    </Stack>
  );
}

/** Scrolled to, because the list below it can be long. */
function Missing({ error }: { readonly error: string }) {
  const own = useRef<HTMLParagraphElement>(null);
  useEffect(() => own.current?.scrollIntoView({ block: 'center' }), []);
  return (
    <Input.Error ref={own} role="alert">
      {error}
    </Input.Error>
  );
}

/** The width of a focus ring and its gap, which the scrolled area would cut off. */
const RING_PX = 4;

type FamiliesProps = {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
};

function Families({ chosen, onChange }: FamiliesProps) {
  const asked = useQuery({ query: EVENT_TYPES });
  return (
    <Asked asked={asked} label="Loading event types">
      {({ webhookEventTypes }) => (
        <ScrollArea.Autosize mah="22rem" type="auto" offsetScrollbars mx={-RING_PX}>
          <Stack gap={0} px={RING_PX}>
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
      )}
    </Asked>
  );
}
