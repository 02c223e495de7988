import type { TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { SuggestInput } from '../suggest/SuggestInput.tsx';
import { usePropertyNames } from './use-property-names.ts';

type PropertyInputProps = Omit<TextInputProps, 'value' | 'onChange' | 'onFocus' | 'label'> & {
  readonly label?: string;
  /** The event whose values are suggested; empty for any. */
  readonly eventName: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

/** A value of an event. Suggests those of its newest occurrences; any other can be typed. */
export function PropertyInput({ eventName, ...props }: PropertyInputProps) {
  const [isUsed, setIsUsed] = useState(false);
  const names = usePropertyNames(eventName, isUsed);
  return <SuggestInput {...props} suggestions={names} onFocus={() => setIsUsed(true)} />;
}
