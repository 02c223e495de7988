import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import type { LiveVariables } from '../../pieces/live-feed/live-document.ts';
import { MINUTE_MS, minuteOf } from './minutes-of.ts';

export const SHOWN = ['all', 'accepted', 'rejected'] as const;
export type Shown = (typeof SHOWN)[number];
const FIELDS = ['name', 'type', 'user', 'code', 'minute'] as const;

export type Filter = {
  readonly shown: Shown;
} & {
  /** `minute` is the start of a minute, in ISO 8601. Empty if not filtered. */
  readonly [Field in (typeof FIELDS)[number]]: string;
};

type UseFilter = {
  /** The same object for as long as the filter is the same. */
  readonly filter: Filter;
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
  const [name, type, user, code, minute] = FIELDS.map(field => params.get(field) ?? '');
  return useMemo(() => {
    const texts = { name: name!, type: type!, user: user!, code: code! };
    const filter = { shown, ...texts, minute: Number.isNaN(Date.parse(minute!)) ? '' : minute! };
    return {
      filter,
      change: part => setParams(() => paramsOf({ ...filter, ...part }), { replace: true }),
    };
  }, [shown, name, type, user, code, minute, setParams]);
}

/** The filters that the API applies; the others ignore case. */
export function variablesOf({ shown, type, code }: Filter): LiveVariables {
  const asked = Object.entries({ type, code }).filter(([, text]) => text !== '');
  return { kinds: [...KINDS[shown]], ...Object.fromEntries(asked) };
}

/** The minute that the list is filtered by. */
export function periodOf({ minute }: Pick<Filter, 'minute'>) {
  if (minute === '') return undefined;
  const fromMs = minuteOf(Date.parse(minute));
  return { fromMs, toMs: fromMs + MINUTE_MS };
}

function paramsOf({ shown, ...texts }: Filter): URLSearchParams {
  const asked = Object.entries(texts).filter(([, text]) => text !== '');
  return new URLSearchParams([...(shown === 'all' ? [] : [['show', shown]]), ...asked]);
}

export function isAsking({ shown, ...texts }: Filter): boolean {
  return shown !== 'all' || Object.values(texts).some(text => text !== '');
}
