import { useMemo } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../../graph/graphql.ts';
import type { ValueType } from './trait-draft.ts';

const NEWEST = graphql(`
  query NewestTraits($first: Int!) {
    contacts(first: $first) { nodes { id traits } }
  }
`);

/** The maximum of the API for a page. */
export const CONTACTS_READ = 100;
const VARIABLES = { first: CONTACTS_READ };

/** Deeper traits can be typed. */
const LEVELS_MAX = 3;
/** Longer values are texts, which no rule compares. */
const CHARACTERS_MAX = 100;

export type KnownTraits = {
  readonly names: readonly string[];
  /** Of this type, else of any. */
  readonly valuesOf: (trait: string, type?: ValueType) => readonly string[];
};

/** The traits that the newest contacts have, and their values. */
export function useKnownTraits(): KnownTraits {
  const [{ data }] = useQuery({
    query: NEWEST,
    variables: VARIABLES,
    requestPolicy: 'cache-first',
  });
  return useMemo(() => {
    const found = (data?.contacts.nodes ?? []).flatMap(({ traits }) => traitsIn(traits));
    return {
      names: [...new Set(found.map(({ name }) => name))].sort(),
      valuesOf(trait, type) {
        const values = found.filter(
          ({ name, value }) => name === trait.trim() && isOf(type, value),
        );
        return [...new Set(values.map(({ value }) => String(value)))].sort();
      },
    };
  }, [data]);
}

type Found = { readonly name: string; readonly value: unknown };

/** The texts, numbers and Booleans in the traits of a contact. */
function traitsIn(traits: unknown, path: readonly string[] = []): readonly Found[] {
  if (typeof traits !== 'object' || traits === null) return [];
  return Object.entries(traits).flatMap(([key, value]) => {
    // A dot separates the levels in a rule.
    if (key.includes('.') || value === null || Array.isArray(value)) return [];
    const name = [...path, key];
    if (typeof value !== 'object') return [{ name: name.join('.'), value }];
    return name.length < LEVELS_MAX ? traitsIn(value, name) : [];
  });
}

function isOf(type: ValueType | undefined, value: unknown): boolean {
  if (type === undefined) return String(value).length <= CHARACTERS_MAX;
  if (type === 'number') return typeof value === 'number';
  return type === 'text' && typeof value === 'string' && value.length <= CHARACTERS_MAX;
}
