import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import type { LiveVariables } from './live-document.ts';

export const SHOWN = ['all', 'accepted', 'rejected'] as const;
export type Shown = (typeof SHOWN)[number];
export const FIELDS = ['name', 'type', 'user', 'code'] as const;

export type Filter = { readonly shown: Shown } & {
  readonly [Field in (typeof FIELDS)[number]]: string;
};

type UseFilter = {
  readonly filter: Filter;
  /** The same object for as long as the filter is the same. */
  readonly variables: LiveVariables;
  readonly change: (part: Partial<Filter>) => void;
};

const KINDS = {
  all: ['EVENT', 'REJECTED_EVENT', 'COUNTS'],
  accepted: ['EVENT', 'COUNTS'],
  rejected: ['REJECTED_EVENT', 'COUNTS'],
} as const;

/** Kept in the URL, so that a view can be shared as a link. */
export function useFilter(): UseFilter {
  const [params, setParams] = useSearchParams();
  const asked = params.get('show');
  const shown = SHOWN.find(one => one === asked) ?? 'all';
  const [name, type, user, code] = FIELDS.map(field => params.get(field) ?? '');
  return useMemo(() => {
    const filter = { shown, name: name!, type: type!, user: user!, code: code! };
    return {
      filter,
      variables: variablesOf(filter),
      change: part => setParams(() => paramsOf({ ...filter, ...part }), { replace: true }),
    };
  }, [shown, name, type, user, code, setParams]);
}

function variablesOf({ shown, ...texts }: Filter): LiveVariables {
  const asked = Object.entries(texts).filter(([, text]) => text !== '');
  return { kinds: [...KINDS[shown]], ...Object.fromEntries(asked) };
}

function paramsOf({ shown, ...texts }: Filter): URLSearchParams {
  const asked = Object.entries(texts).filter(([, text]) => text !== '');
  return new URLSearchParams([...(shown === 'all' ? [] : [['show', shown]]), ...asked]);
}

export function isAsking({ shown, ...texts }: Filter): boolean {
  return shown !== 'all' || Object.values(texts).some(text => text !== '');
}
