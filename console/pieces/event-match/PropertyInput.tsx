import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useState } from 'react';
import { suggest } from './suggest.ts';
import { usePropertyNames } from './use-property-names.ts';

type PropertyInputProps = Omit<AutocompleteProps, 'data' | 'filter' | 'onFocus'> & {
  /** The event whose values are suggested; empty for any. */
  readonly eventName: string;
};

/** A value of an event. Suggests those of its newest occurrences; any other can be typed. */
export function PropertyInput({ eventName, ...props }: PropertyInputProps) {
  const [isUsed, setIsUsed] = useState(false);
  const names = usePropertyNames(eventName, isUsed);
  return (
    <Autocomplete {...props} data={[...names]} filter={suggest} onFocus={() => setIsUsed(true)} />
  );
}
