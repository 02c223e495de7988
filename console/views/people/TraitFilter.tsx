import { useDebouncedCallback } from '@mantine/hooks';
import { type Ref, useEffect, useState } from 'react';
import type { Trait } from '../../pieces/short-traits.ts';
import { SuggestInput } from '../../pieces/suggest/SuggestInput.tsx';
import { CONTACTS_READ, useKnownTraits } from '../../pieces/trait-match/use-known-traits.ts';

type TraitFilterProps = Trait & {
  /** To the name of the trait. */
  readonly ref: Ref<HTMLInputElement>;
  readonly onChange: (name: string, value: string) => void;
};

/** So that no list is queried for half a value. */
const TYPING_MS = 400;

/** A trait and, once it is chosen, its value. */
export function TraitFilter({ ref, name, value, onChange }: TraitFilterProps) {
  const [typed, setTyped] = useState({ name, value });
  const changeSoon = useDebouncedCallback(onChange, TYPING_MS);
  const known = useKnownTraits();
  // Not while a space is typed, which is cut off in the address.
  useEffect(
    () => setTyped(before => (isSame(before, { name, value }) ? before : { name, value })),
    [name, value],
  );
  const type = (next: Trait) => {
    setTyped(next);
    changeSoon(next.name.trim(), next.value.trim());
  };
  return (
    <>
      <SuggestInput
        ref={ref}
        aria-label="Trait"
        placeholder="Trait, such as city"
        value={typed.name}
        onChange={next => type({ name: next, value: '' })}
        suggestions={known.names}
        listNote={`Traits of the newest ${CONTACTS_READ} contacts. You can type any other trait.`}
        flex="1 1 150px"
        maw={{ sm: 190 }}
      />
      {typed.name.trim() !== '' && (
        <SuggestInput
          aria-label={`Value of ${typed.name}`}
          placeholder="Exact value"
          value={typed.value}
          onChange={next => type({ ...typed, value: next })}
          {...known.valuesOf(typed.name)}
          enterChooses="beginning"
          flex="1 1 150px"
          maw={{ sm: 190 }}
        />
      )}
    </>
  );
}

function isSame(typed: Trait, { name, value }: Trait): boolean {
  return typed.name.trim() === name && typed.value.trim() === value;
}
