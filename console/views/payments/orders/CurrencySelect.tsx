import { Select } from '@mantine/core';

const NAMES = new Intl.DisplayNames('en', { type: 'currency' });
const CURRENCIES = Intl.supportedValuesOf('currency').map(code => ({
  value: code,
  label: `${code}, ${NAMES.of(code) ?? code}`,
}));
/** As many as fit above and below the field; typing finds the others. */
const SHOWN_MAX = 20;

type CurrencySelectProps = {
  readonly value: string;
  readonly onChange: (currency: string) => void;
  readonly error: string | undefined;
};

/** The gateway decides which currencies an account accepts. */
export function CurrencySelect({ value, onChange, error }: CurrencySelectProps) {
  return (
    <Select
      label="Currency"
      searchable
      limit={SHOWN_MAX}
      nothingFoundMessage="No matching currencies"
      data={CURRENCIES}
      allowDeselect={false}
      value={value}
      onChange={currency => onChange(currency ?? value)}
      error={error}
    />
  );
}
