import { Select } from '@mantine/core';

type StatusSelectProps<Status extends string> = {
  readonly label?: string;
  readonly isClearable?: boolean;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: Status | null;
  readonly onChange: (status: Status | null) => void;
};

export function StatusSelect<Status extends string>(props: StatusSelectProps<Status>) {
  const { label = 'State', isClearable = true, options, value, onChange } = props;
  return (
    <Select
      aria-label={label}
      size="xs"
      w={170}
      placeholder="All states"
      data={[...options]}
      value={value}
      onChange={next => onChange(next as Status | null)}
      {...(isClearable
        ? { clearable: true, clearButtonProps: { 'aria-label': 'All states' } }
        : { allowDeselect: false })}
    />
  );
}
