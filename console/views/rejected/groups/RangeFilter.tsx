import { Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { CUSTOM, DAYS_MAX, RANGE_DEFAULT, RANGES, type Range } from '../range.ts';
import type { FilterChange } from '../use-rejected-filter.ts';

type RangeFilterProps = {
  readonly params: URLSearchParams;
  readonly range: Range | undefined;
  readonly onChange: (change: FilterChange) => void;
};

const CHOICES = [
  ...RANGES.map(({ name, label }) => ({ value: name as string, label })),
  { value: CUSTOM, label: 'Custom' },
];
const MINUTE_MS = 60_000;

export function RangeFilter({ params, range, onChange }: RangeFilterProps) {
  const chosen = params.get('range') ?? RANGE_DEFAULT;
  const choose = (name: string) =>
    onChange(
      name === CUSTOM
        ? { range: name, from: range?.from, to: range?.to }
        : { range: name, from: undefined, to: undefined },
    );
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="Time range"
        data={CHOICES}
        value={CHOICES.some(({ value }) => value === chosen) ? chosen : RANGE_DEFAULT}
        onChange={choose}
        style={{ alignSelf: 'start' }}
      />
      {chosen === CUSTOM && (
        <Group gap="sm" align="flex-end">
          <Moment label="From" iso={params.get('from')} onChange={from => onChange({ from })} />
          <Moment label="To" iso={params.get('to')} onChange={to => onChange({ to })} />
        </Group>
      )}
      {range === undefined && (
        <Text size="sm" role="alert">
          Choose a start before the end, at most {DAYS_MAX} days apart.
        </Text>
      )}
    </Stack>
  );
}

type MomentProps = {
  readonly label: string;
  readonly iso: string | null;
  readonly onChange: (iso: string | undefined) => void;
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
        onChange(value === '' ? undefined : new Date(value).toISOString())
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
