import { Group, SegmentedControl, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { EventFields } from '../../../pieces/event-match/EventFields.tsx';
import type { EventDraft } from '../../../pieces/event-match/event-draft.ts';
import { RangeFilter } from '../../../pieces/range/RangeFilter.tsx';
import type { Range } from '../../../pieces/range/range.ts';
import {
  KINDS,
  type Kind,
  LIMITS,
  PERIODS,
  type Period,
  type RetentionSettings,
} from './retention-settings.ts';

type RetentionFormProps = {
  readonly settings: RetentionSettings;
  readonly range: Range | undefined;
  readonly onChange: (part: Partial<RetentionSettings>) => void;
};

const PERIOD_LABELS: Readonly<Record<Period, string>> = { DAY: 'By day', WEEK: 'By week' };
const KIND_LABELS: Readonly<Record<Kind, string>> = {
  FIRST_TIME: 'Once, at their first event in the range',
  RECURRING: 'In each period with the event',
};

export function RetentionForm({ settings, range, onChange }: RetentionFormProps) {
  const { firstEvent, returningEvent, kind, period } = settings;
  return (
    <Stack component="search" gap="lg" aria-label="Report settings">
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <LabeledEvent
          label="First event"
          value={firstEvent}
          onChange={next => onChange({ firstEvent: next })}
        />
        <LabeledEvent
          label="Returning event"
          value={returningEvent}
          onChange={next => onChange({ returningEvent: next })}
        />
      </SimpleGrid>
      <Select
        label="Count people"
        data={KINDS.map(value => ({ value, label: KIND_LABELS[value] }))}
        value={kind}
        onChange={value => onChange({ kind: (value ?? kind) as Kind })}
        allowDeselect={false}
        maw={320}
      />
      <Group gap="md" align="flex-start">
        <SegmentedControl
          aria-label="Periods"
          data={PERIODS.map(value => ({ value, label: PERIOD_LABELS[value] }))}
          value={period}
          onChange={value => onChange({ period: value as Period })}
        />
        <RangeFilter
          chosen={settings.range}
          limits={LIMITS[period]}
          range={range}
          hint={period === 'WEEK' ? '' : 'For a longer time, choose weeks.'}
          onChange={chosen => onChange({ range: chosen })}
        />
      </Group>
    </Stack>
  );
}

type LabeledEventProps = {
  readonly label: string;
  readonly value: EventDraft;
  readonly onChange: (next: EventDraft) => void;
};

function LabeledEvent(props: LabeledEventProps) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={550} aria-hidden>
        {props.label}
      </Text>
      <EventFields {...props} />
    </Stack>
  );
}
