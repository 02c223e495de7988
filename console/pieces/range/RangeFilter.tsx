import { Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import {
  type ChosenRange,
  CUSTOM,
  PRESETS,
  presetOf,
  type Range,
  type RangeLimits,
} from './range.ts';

type RangeFilterProps = {
  readonly chosen: ChosenRange;
  readonly limits: RangeLimits;
  /** Undefined if the chosen times are not a range that the API accepts. */
  readonly range: Range | undefined;
  readonly onChange: (chosen: ChosenRange) => void;
  /** How to have a longer range. */
  readonly hint?: string;
};

const MINUTE_MS = 60_000;

export function RangeFilter({ chosen, limits, range, onChange, hint }: RangeFilterProps) {
  const { name, from, to } = chosen;
  const choices = [
    ...limits.presets.map(one => ({ value: one as string, label: PRESETS[one].label })),
    { value: CUSTOM, label: 'Custom' },
  ];
  const choose = (next: string) =>
    onChange(
      next === CUSTOM
        ? { name: next, from: range?.from ?? null, to: range?.to ?? null }
        : { name: next, from: null, to: null },
    );
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="Time range"
        data={choices}
        value={name === CUSTOM ? CUSTOM : presetOf(name, limits)}
        onChange={choose}
        // All choices, also on a phone.
        style={{ alignSelf: 'start', flexWrap: 'wrap' }}
      />
      {name === CUSTOM && (
        <Group gap="sm" align="flex-end">
          <Moment label="From" iso={from} onChange={iso => onChange({ ...chosen, from: iso })} />
          <Moment label="To" iso={to} onChange={iso => onChange({ ...chosen, to: iso })} />
        </Group>
      )}
      {range === undefined && (
        <Text size="sm" role="alert">
          Choose a start before the end, at most {limits.daysMax} days apart. {hint}
        </Text>
      )}
    </Stack>
  );
}

type MomentProps = {
  readonly label: string;
  readonly iso: string | null;
  readonly onChange: (iso: string | null) => void;
};

/** In the time zone of the browser. */
function Moment({ label, iso, onChange }: MomentProps) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      size="xs"
      value={inField(iso)}
      onChange={({ currentTarget: { value } }) =>
        onChange(value === '' ? null : new Date(value).toISOString())
      }
    />
  );
}

function inField(iso: string | null): string {
  const ms = Date.parse(iso ?? '');
  if (Number.isNaN(ms)) return '';
  const localMs = ms - new Date(ms).getTimezoneOffset() * MINUTE_MS;
  return new Date(localMs).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
}
