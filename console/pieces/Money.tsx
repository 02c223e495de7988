import { Text, type TextProps } from '@mantine/core';
import { inMoney } from './in-words.ts';

type MoneyProps = TextProps & {
  readonly of: { readonly amount: string; readonly currencyCode: string } | null | undefined;
};

/** An exact amount, its digits one below the other in a column. */
export function Money({ of, ...props }: MoneyProps) {
  return (
    <Text
      inherit
      span
      style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
      {...props}
    >
      {of ? inMoney(of.amount, of.currencyCode) : '–'}
    </Text>
  );
}
