import { useQuery } from 'urql';
import { EVENTS, GROUPS } from '../rejected-query.ts';
import type { ReplayScope } from './replay-href.ts';
import type { ReplayableReason } from './replay-query.ts';
import type { Rejection } from './suggest-change.ts';

/** Why the events to replay were rejected: each code with its messages. */
export function useRejections(
  { range, codes, group, hash }: ReplayScope,
  reasons: readonly ReplayableReason[],
): readonly Rejection[] {
  const code = codes[0] ?? null;
  const [{ data: grouped }] = useQuery({
    query: GROUPS,
    variables: { range, code },
    pause: group === undefined,
  });
  const [{ data: single }] = useQuery({
    query: EVENTS,
    variables: { range, code, group: null },
    pause: hash === undefined,
  });
  if (hash !== undefined)
    return single?.rejectedEvents?.nodes.filter(node => node.hash === hash) ?? [];
  const found =
    group === undefined
      ? reasons.filter(reason => codes.includes(reason.code))
      : (grouped?.rejectedEventGroups?.filter(({ key }) => key === group) ?? []);
  return found.flatMap(({ code, messages }) => messages.map(message => ({ code, message })));
}
