import { Text, TextInput, type TextInputProps } from '@mantine/core';
import { currencySymbol } from './in-words.ts';

type AmountInputProps = Omit<TextInputProps, 'value' | 'onChange'> & {
  readonly currency: string;
  /** As typed: `readAmount` makes an amount of it. */
  readonly value: string;
  readonly onChange: (value: string) => void;
};

/** Money as people type it. It stays text, since a number could not hold every amount. */
export function AmountInput({ currency, value, onChange, ...props }: AmountInputProps) {
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      leftSection={
        <Text size="sm" c="dimmed" aria-hidden>
          {currencySymbol(currency)}
        </Text>
      }
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      {...props}
    />
  );
}
