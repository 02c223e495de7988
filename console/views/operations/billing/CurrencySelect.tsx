import { Select } from '@mantine/core';
import { useQuery } from 'urql';
import { graphql } from '../../../graph/graphql.ts';

const CURRENCIES = graphql(`
  query BillingCurrencies { programTerms { region currencyCode } }
`);

/** The API's own. */
export const DEFAULT_CURRENCY = 'INR';

type CurrencySelectProps = {
  readonly value: string;
  readonly onChange: (currency: string) => void;
  readonly error: string | undefined;
};

/** The currencies of the partner program: payments in others earn no rewards. */
export function CurrencySelect({ value, onChange, error }: CurrencySelectProps) {
  const [{ data }] = useQuery({ query: CURRENCIES });
  const known = data?.programTerms.map(({ currencyCode }) => currencyCode) ?? [];
  return (
    <Select
      label="Currency"
      data={[...new Set([value, ...known])].toSorted()}
      allowDeselect={false}
      value={value}
      onChange={currency => onChange(currency ?? value)}
      error={error}
    />
  );
}
