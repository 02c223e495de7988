import { Group, SegmentedControl, Select, Stack, Switch } from '@mantine/core';
import { AddButton, EventFields } from '../../../pieces/event-match/EventFields.tsx';
import { ANY_EVENT } from '../../../pieces/event-match/event-draft.ts';
import { PropertyInput } from '../../../pieces/event-match/PropertyInput.tsx';
import { propertyOf } from '../../../pieces/event-match/property-text.ts';
import { RemoveButton } from '../../../pieces/RemoveButton.tsx';
import { RangeFilter } from '../../../pieces/range/RangeFilter.tsx';
import type { Range } from '../../../pieces/range/range.ts';
import { useAddedFocus } from '../../../pieces/use-added-focus.ts';
import type { Interval } from '../whole-intervals.ts';
import {
  EVENTS_MAX,
  INTERVALS,
  LIMITS,
  MEASURES,
  type Measure,
  needsNumber,
  type TrendsSettings,
} from './trends-settings.ts';

type TrendsFormProps = {
  readonly settings: TrendsSettings;
  readonly range: Range | undefined;
  readonly onChange: (part: Partial<TrendsSettings>) => void;
};

const INTERVAL_LABELS: Readonly<Record<Interval, string>> = {
  HOUR: 'By hour',
  DAY: 'By day',
  WEEK: 'By week',
};

export function TrendsForm(props: TrendsFormProps) {
  const { settings, range, onChange } = props;
  const { interval, isCompared } = settings;
  return (
    <Stack component="search" gap="lg" aria-label="Report settings">
      <Events {...props} />
      <WhatOf {...props} />
      <Group gap="md" align="flex-start">
        <SegmentedControl
          aria-label="Intervals"
          data={INTERVALS.map(value => ({ value, label: INTERVAL_LABELS[value] }))}
          value={interval}
          onChange={value => onChange({ interval: value as Interval })}
        />
        <RangeFilter
          chosen={settings.range}
          limits={LIMITS[interval]}
          range={range}
          hint={interval === 'WEEK' ? '' : 'For a longer time, choose longer intervals.'}
          onChange={chosen => onChange({ range: chosen })}
        />
      </Group>
      <Switch
        label="Compare with the previous period"
        checked={isCompared}
        onChange={({ currentTarget }) => onChange({ isCompared: currentTarget.checked })}
      />
    </Stack>
  );
}

function Events({ settings: { events }, onChange }: TrendsFormProps) {
  const { list, focusAdded } = useAddedFocus();
  return (
    <Stack gap="xs">
      <Stack gap="xs" ref={list}>
        {events.map((event, at) => (
          <EventFields
            key={at}
            label={`Event ${at + 1}`}
            value={event}
            onChange={next => onChange({ events: events.with(at, next) })}
          >
            <RemoveButton
              label={`event ${at + 1}`}
              disabled={events.length === 1}
              onClick={() => onChange({ events: events.toSpliced(at, 1) })}
            />
          </EventFields>
        ))}
      </Stack>
      <AddButton
        isDisabled={events.length >= EVENTS_MAX}
        onAdd={() => {
          onChange({ events: [...events, ANY_EVENT] });
          focusAdded();
        }}
      >
        {events.length >= EVENTS_MAX ? `At most ${EVENTS_MAX} events` : 'Add an event'}
      </AddButton>
    </Stack>
  );
}

/** The measure, and what it is broken down by. */
function WhatOf({ settings, onChange }: TrendsFormProps) {
  const { events, measure, number, breakdown } = settings;
  const eventName = events[0]?.name ?? '';
  return (
    <Group gap="md" align="flex-start">
      <Select
        label="Measure"
        data={Object.entries(MEASURES).map(([value, label]) => ({ value, label }))}
        value={measure}
        onChange={value => onChange({ measure: (value ?? measure) as Measure })}
        allowDeselect={false}
        w={220}
      />
      {needsNumber(measure) && (
        <PropertyInput
          label="Number"
          placeholder="For example total"
          eventName={eventName}
          value={number}
          onChange={value => onChange({ number: value })}
          error={numberFault(number)}
          required
          w={220}
        />
      )}
      <PropertyInput
        label="Break down by"
        placeholder="None"
        eventName={eventName}
        value={breakdown}
        onChange={value => onChange({ breakdown: value })}
        w={220}
      />
    </Group>
  );
}

function numberFault(text: string): string | undefined {
  const property = propertyOf(text);
  if (property === undefined) return 'Choose a numeric property';
  return property.column === undefined ? undefined : 'Not a numeric property';
}
