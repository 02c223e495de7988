import { Select } from '@mantine/core';
import { memo } from 'react';
import type { Filter } from './use-filter.ts';

type Option = string | { readonly value: string; readonly label: string };
export type Options = readonly (
  | Option
  | { readonly group: string; readonly items: readonly string[] }
)[];

type ChoiceProps = {
  readonly field: 'type' | 'code' | 'minute';
  readonly label: string;
  /** The text if nothing is chosen. */
  readonly any: string;
  readonly data: Options;
  readonly value: string;
  readonly onChange: (part: Partial<Filter>) => void;
};

/** A filter with fixed values; empty if it is not used. */
export const Choice = memo(function Choice({ field, label, any, data, ...props }: ChoiceProps) {
  const { value, onChange } = props;
  return (
    <Select
      aria-label={label}
      placeholder={any}
      data={withChosen(data, value) as Option[]}
      value={value === '' ? null : value}
      clearable
      searchable
      openOnFocus={false}
      comboboxProps={{ width: 240, position: 'bottom-start' }}
      clearButtonProps={{ 'aria-label': any }}
      onChange={next => onChange({ [field]: next ?? '' })}
    />
  );
});

/** A URL can have a value that is not in the list. */
function withChosen(options: Options, value: string): Options {
  const isListed = options.some(option => {
    if (typeof option === 'string') return option === value;
    return 'items' in option ? option.items.includes(value) : option.value === value;
  });
  return value === '' || isListed ? options : [value, ...options];
}
