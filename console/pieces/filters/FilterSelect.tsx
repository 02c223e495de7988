import { Select } from '@mantine/core';

type FilterSelectProps = {
  readonly label: string;
  /** The option without a filter, such as "Any state". */
  readonly all: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | null | undefined;
  /** Empty for all. */
  readonly onChange: (value: string) => void;
};

export function FilterSelect({ label, all, options, value, onChange }: FilterSelectProps) {
  return (
    <Select
      aria-label={label}
      data={[{ value: '', label: all }, ...options]}
      value={value ?? ''}
      onChange={chosen => onChange(chosen ?? '')}
      allowDeselect={false}
      flex="1 1 130px"
      maw={{ sm: 180 }}
    />
  );
}
