import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { suggest } from './suggest.ts';
import { usePropertyNames } from './use-property-names.ts';

type PropertyInputProps = Omit<AutocompleteProps, 'data' | 'filter'> & {
  /** The event whose values are suggested; empty for any. */
  readonly eventName: string;
};

/** A value of an event. Suggests those of its newest occurrences; any other can be typed. */
export function PropertyInput({ eventName, ...props }: PropertyInputProps) {
  const names = usePropertyNames(eventName);
  return <Autocomplete {...props} data={[...names]} filter={suggest} />;
}
