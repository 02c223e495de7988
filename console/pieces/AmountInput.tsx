import { Text, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { readAmount } from './decimal.ts';
import { currencySymbol, exampleAmount } from './in-words.ts';

type AmountInputProps = Omit<TextInputProps, 'value' | 'onChange'> & {
  readonly currency: string;
  /** The text as typed; `readAmount` converts it to an amount. */
  readonly value: string;
  readonly onChange: (value: string) => void;
};

/** Money as people type it. It stays text, since a number could not hold every amount. */
export function AmountInput({ currency, value, onChange, error, ...props }: AmountInputProps) {
  // Validated on blur, because an amount is incomplete while it is typed.
  const [isLeft, setIsLeft] = useState(false);
  const isNone = isLeft && value.trim() !== '' && readAmount(value) === undefined;
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
      onChange={({ currentTarget }) => {
        setIsLeft(false);
        onChange(currentTarget.value);
      }}
      onBlur={() => setIsLeft(true)}
      {...props}
      error={error || (isNone && `Enter an amount, such as ${exampleAmount()}.`)}
    />
  );
}
