// What is replayed: the reasons, or only one group or event; kept in the URL.

import { useSearchParams } from 'wouter';
import type { ReplayableReason } from './replay-query.ts';

type ChosenReasons = {
  readonly codes: readonly string[];
  /** The key of the only group, if it is only one. */
  readonly group?: string;
  /** The hash of the only event, if it is only one. */
  readonly hash?: string;
  readonly choose: (codes: readonly string[]) => void;
};

/** A URL without reasons selects all of them. */
export function useChosenReasons(reasons: readonly ReplayableReason[]): ChosenReasons {
  const [params, setParams] = useSearchParams();
  const [group, hash] = [params.get('group'), params.get('hash')];
  const asked = params.has('code') ? params.getAll('code') : undefined;
  return {
    codes: reasons.map(({ code }) => code).filter(code => asked?.includes(code) ?? true),
    ...(group !== null && { group }),
    ...(hash !== null && { hash }),
    choose: codes =>
      setParams(
        before => {
          const next = new URLSearchParams(before);
          next.delete('code');
          // An empty one, so that none are selected instead of all.
          for (const code of codes.length === 0 ? [''] : codes) next.append('code', code);
          return next;
        },
        { replace: true },
      ),
  };
}
