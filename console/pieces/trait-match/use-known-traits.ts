import { useMemo } from 'react';
import { useQuery } from 'urql';
import { consentReason } from '../../../schema/campaign/consent-purposes.ts';
import { graphql, type ResultOf } from '../../graph/graphql.ts';
import { inCount } from '../in-words.ts';
import type { ValueType } from './trait-draft.ts';

const NEWEST = graphql(`
  query NewestTraits($first: Int!) {
    contacts(first: $first) {
      nodes { id traits suppressedAt consents { purpose status } }
    }
  }
`);

/** The maximum of the API for a page. */
export const CONTACTS_READ = 100;
const VARIABLES = { first: CONTACTS_READ };

/** Deeper traits can be typed. */
const LEVELS_MAX = 3;
/** Longer values are texts, which no rule compares. */
const CHARACTERS_MAX = 100;

/** For a `SuggestInput`. */
export type ValueSuggestions = {
  readonly suggestions: readonly string[];
  readonly noteOf: (value: string) => string | undefined;
  readonly listNote: string;
};

type KnownTraits = {
  readonly names: readonly string[];
  /** Of this type, else of any. Those that the most people have come first. */
  readonly valuesOf: (trait: string, type?: ValueType) => ValueSuggestions;
};

/**
 * The traits that the newest contacts have, and their values. With a purpose, people are also counted by
 * whether their consent lets them see content.
 */
export function useKnownTraits(consentPurpose?: string): KnownTraits {
  const [{ data }] = useQuery({
    query: NEWEST,
    variables: VARIABLES,
    requestPolicy: 'cache-first',
  });
  return useMemo(() => {
    const found = (data?.contacts.nodes ?? []).flatMap(contact => {
      const isReached = consentPurpose !== undefined && mayBeShown(contact, consentPurpose);
      return traitsIn(contact.traits).map(trait => ({ ...trait, isReached }));
    });
    return {
      names: [...new Set(found.map(({ name }) => name))].sort(),
      valuesOf: (trait, type) =>
        suggestionsOf(
          found.filter(({ name, value }) => name === trait.trim() && isOf(type, value)),
          consentPurpose,
        ),
    };
  }, [data, consentPurpose]);
}

type Contact = ResultOf<typeof NEWEST>['contacts']['nodes'][number];

function mayBeShown({ consents, suppressedAt }: Contact, purpose: string): boolean {
  const consent = consents.find(one => one.purpose === purpose);
  return consentReason(purpose, consent?.status, suppressedAt !== null) === undefined;
}

type Found = { readonly name: string; readonly value: unknown };
type FoundOfContact = Found & { readonly isReached: boolean };

function suggestionsOf(
  found: readonly FoundOfContact[],
  consentPurpose: string | undefined,
): ValueSuggestions {
  const counted = [...Map.groupBy(found, ({ value }) => String(value))].map(([value, all]) => ({
    value,
    people: all.length,
    reached: all.filter(({ isReached }) => isReached).length,
  }));
  counted.sort(
    (one, other) =>
      other.reached - one.reached ||
      other.people - one.people ||
      one.value.localeCompare(other.value),
  );
  const notes = new Map(
    counted.map(({ value, people, reached }) => {
      const all = people === 1 ? '1 person' : `${inCount(people)} people`;
      return [value, consentPurpose === undefined ? all : `${inCount(reached)} of ${all}`];
    }),
  );
  const whom =
    consentPurpose === undefined
      ? ''
      : `: first those whom consent to ${consentPurpose} lets see it, then all`;
  return {
    suggestions: [...notes.keys()],
    noteOf: value => notes.get(value),
    listNote: `People among the newest ${CONTACTS_READ} contacts${whom}. You can type any other value.`,
  };
}

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
