import { NAMING_TRAITS } from './person-name.ts';

export type Trait = { readonly name: string; readonly value: string };

const TRAITS_MAX = 3;
/** Longer values are texts. */
const CHARACTERS_MAX = 30;

/** A few traits that tell people apart, for example "city Pune · plan pro"; `first` is one that they all have. */
export function shortTraits(traits: unknown, first?: Trait): string {
  const others = Object.entries(traits ?? {})
    .filter(([name]) => name !== first?.name && !NAMING_TRAITS.includes(name))
    .filter(([, value]) => isShort(value))
    .map(([name, value]) => ({ name, value: String(value) }));
  return [...(first ? [first] : []), ...others]
    .slice(0, TRAITS_MAX)
    .map(({ name, value }) => `${name} ${value}`)
    .join(' · ');
}

function isShort(value: unknown): boolean {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return false;
  const { length } = String(value);
  return length > 0 && length <= CHARACTERS_MAX;
}
