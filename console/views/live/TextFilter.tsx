import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';

/** So that the list does not restart with each letter. */
const TYPING_MS = 400;

type TextFilterProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
};

export function TextFilter({ label, value, onChange }: TextFilterProps) {
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
        changeSoon(currentTarget.value.trim());
      }}
    />
  );
}
