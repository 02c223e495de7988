import { NumberInput } from '@mantine/core';

/** The API's limit. */
const EVENTS_MAX = 2_147_483_647;

type LimitInputProps = {
  readonly description: string;
  /** Empty for no limit. */
  readonly value: number | string;
  readonly onChange: (value: number | string) => void;
  readonly error: string | undefined;
};

/** An ingress limit. */
export function LimitInput({ description, value, onChange, error }: LimitInputProps) {
  return (
    <NumberInput
      label="Events per minute"
      description={description}
      min={1}
      max={EVENTS_MAX}
      allowDecimal={false}
      thousandSeparator
      data-autofocus
      value={value}
      onChange={onChange}
      error={error}
    />
  );
}

/** Null if the field is empty. */
export function limitOf(value: number | string): number | null {
  return value === '' ? null : Number(value);
}
