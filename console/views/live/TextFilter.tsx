import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { memo, useEffect, useState } from 'react';
import type { Filter } from './use-filter.ts';

/** So that the list does not restart with each letter. */
const TYPING_MS = 400;

type TextFilterProps = {
  readonly field: 'name' | 'user';
  readonly label: string;
  readonly value: string;
  readonly onChange: (part: Partial<Filter>) => void;
};

export const TextFilter = memo(function TextFilter(props: TextFilterProps) {
  const { field, label, value, onChange } = props;
  const [text, setText] = useState(value);
  const changeSoon = useDebouncedCallback(onChange, TYPING_MS);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      aria-label={label}
      placeholder={`${label} contains`}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        changeSoon({ [field]: currentTarget.value.trim() });
      }}
    />
  );
});
