import { useMemo } from 'react';
import { useQuery } from 'urql';
import { UNDER_WAY } from './list-query.ts';

export type UnderWay = { readonly drafts: number; readonly submitted: number };

const CONTEXT = { additionalTypenames: ['TemplateVersion'] };

/** How many drafts and submissions each template has, by its ID. */
export function useUnderWay(): ReadonlyMap<string, UnderWay> {
  const [{ data }] = useQuery({ query: UNDER_WAY, context: CONTEXT });
  return useMemo(() => {
    const found = new Map<string, UnderWay>();
    for (const which of ['drafts', 'submitted'] as const) {
      for (const { template } of data?.[which].nodes ?? []) {
        const id = template?.id;
        if (id === undefined) continue;
        const before = found.get(id) ?? { drafts: 0, submitted: 0 };
        found.set(id, { ...before, [which]: before[which] + 1 });
      }
    }
    return found;
  }, [data]);
}
