import { Group, NumberInput, Select } from '@mantine/core';
import { AmountInput } from '../../../pieces/AmountInput.tsx';
import { readAmount } from '../../../pieces/decimal.ts';
import { CURRENCY, PLAN_WORDS, type TypedPlan } from './plan-draft.ts';

const UNITS: readonly { readonly value: TypedPlan['interval']; readonly label: string }[] = [
  { value: 'DAY', label: 'days' },
  { value: 'WEEK', label: 'weeks' },
  { value: 'MONTH', label: 'months' },
  { value: 'YEAR', label: 'years' },
];

export type ChargeFieldsProps = {
  readonly typed: TypedPlan;
  readonly onChange: (part: Partial<TypedPlan>) => void;
  /** Whether missing values are errors. */
  readonly isTried: boolean;
  readonly refused: (name: string) => string | undefined;
};

/** How much a periodic plan charges, and how often. */
export function ChargeFields({ typed, onChange, isTried, refused }: ChargeFieldsProps) {
  return (
    <>
      <AmountInput
        label="Amount of each charge"
        required
        currency={CURRENCY}
        value={typed.amount}
        onChange={amount => onChange({ amount })}
        error={
          isTried && readAmount(typed.amount) === undefined
            ? 'Enter an amount.'
            : refused('recurringAmount')
        }
      />
      <Group grow align="flex-start">
        <NumberInput
          label="Every"
          required
          min={1}
          allowDecimal={false}
          clampBehavior="none"
          value={typed.intervals}
          onChange={value => onChange({ intervals: typeof value === 'number' ? value : '' })}
          error={isTried && typed.intervals === '' ? PLAN_WORDS.intervals : refused('intervals')}
        />
        <Select
          label="Unit"
          data={UNITS}
          allowDeselect={false}
          value={typed.interval}
          onChange={unit =>
            onChange({ interval: (unit ?? typed.interval) as typeof typed.interval })
          }
          error={refused('interval')}
        />
      </Group>
    </>
  );
}
