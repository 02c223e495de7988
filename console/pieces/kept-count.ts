// How many further pages of a list were loaded. The entry of the browser's history has it, so that going
// back shows as many again, while a link to the same list begins with the first page.

import type { DocumentNode } from 'graphql';
import { createRequest } from 'urql';

/** The state of an entry. */
type Kept = { readonly pages?: Readonly<Record<string, number>> };

export function keptCount(document: DocumentNode, variables: object): number {
  return keptState().pages?.[keyOf(document, variables)] ?? 0;
}

export function keepCount(document: DocumentNode, variables: object, count: number): void {
  const state = keptState();
  const pages = { ...state.pages, [keyOf(document, variables)]: count };
  history.replaceState({ ...state, pages }, '');
}

const keptState = () => (history.state ?? {}) as Kept;

/**
 * Of a list of the page at an address, as filters that change the address can pass on the state. Times are
 * left out, as a period until now has others on each visit.
 */
function keyOf(document: DocumentNode, variables: object): string {
  const timeless = JSON.stringify(variables, (_, value) => (isTime(value) ? undefined : value));
  return `${location.search} ${createRequest(document, { timeless }).key}`;
}

const isTime = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
