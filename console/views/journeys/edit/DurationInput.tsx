import { Group, NumberInput, Select } from '@mantine/core';
import { UNITS } from '../journey-words.ts';
import type { Duration, Unit } from './journey-draft.ts';

type DurationInputProps = {
  readonly label: string;
  readonly description?: string;
  readonly value: Duration;
  readonly onChange: (next: Duration) => void;
  readonly error: string | undefined;
};

export function DurationInput({ label, description, value, onChange, error }: DurationInputProps) {
  return (
    <Group gap="sm" align="flex-start" wrap="nowrap">
      <NumberInput
        label={label}
        description={description}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        min={1}
        clampBehavior="none"
        thousandSeparator
        value={value.count}
        onChange={count => onChange({ ...value, count: typeof count === 'number' ? count : '' })}
        error={error}
        flex={1}
      />
      <Select
        label="Unit"
        aria-label={`Unit: ${label}`}
        data={UNITS.map(([unit]) => ({ value: unit, label: `${unit}s` }))}
        value={value.unit}
        onChange={unit => onChange({ ...value, unit: (unit ?? value.unit) as Unit })}
        allowDeselect={false}
        w={130}
      />
    </Group>
  );
}
