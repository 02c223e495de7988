import { navigate, useSearch } from 'wouter/use-browser-location';
import { kindOf } from './kinds.ts';

const NAME = 'show';

/** The kind of items that are shown, kept in the address. Undefined for everything. */
export function useKind() {
  const params = new URLSearchParams(useSearch());
  const setKind = (value: string) => {
    if (value === '') params.delete(NAME);
    else params.set(NAME, value);
    // With the browser's own path: the router would decode a part of the user ID in it. The state
    // has the way back to the list.
    navigate(`${location.pathname}?${params}`, { replace: true, state: history.state });
  };
  return { kind: kindOf(params.get(NAME)), setKind };
}
