import { useMemo } from 'react';
import { useQuery } from 'urql';
import { inCount } from '../../../pieces/in-words.ts';
import type { Range } from '../../../pieces/range/range.ts';
import { GROUPS, REASONS } from '../rejected-query.ts';
import { ReplayButton } from '../replay/ReplayButton.tsx';
import { NOT_REPLAYED_CODE, REPLAYED_ENDPOINT } from '../replay/replay-query.ts';
import type { useRejectedFilter } from '../use-rejected-filter.ts';

type GroupsReplayProps = {
  readonly range: Range;
  readonly filter: Pick<ReturnType<typeof useRejectedFilter>, 'code' | 'group'>;
};

/** Replays what the list shows: all events, those of a reason, or those of a group. */
export function GroupsReplay({ range, filter: { code, group } }: GroupsReplayProps) {
  if (code === undefined)
    return <ReplayButton scope={{ range, codes: [] }} label="Replay events" />;
  if (code === NOT_REPLAYED_CODE) return null;
  if (group === undefined) return <OfReason range={range} code={code} />;
  return <OfGroup range={range} code={code} group={group} />;
}

type OfReasonProps = { readonly range: Range; readonly code: string };

function OfReason({ range, code }: OfReasonProps) {
  const [{ data }] = useQuery({ query: REASONS, variables: { range } });
  const reason = data?.rejectedEventCodes?.find(one => one.code === code);
  if (!reason?.endpoints.includes(REPLAYED_ENDPOINT)) return null;
  const { count } = reason;
  return (
    <ReplayButton
      scope={{ range, codes: [code] }}
      label={
        count === 1
          ? 'Replay the event of this reason'
          : `Replay all ${inCount(count)} events of this reason`
      }
    />
  );
}

function OfGroup({ range, code, group }: OfReasonProps & { readonly group: string }) {
  const variables = useMemo(() => ({ range, code }), [range, code]);
  const [{ data }] = useQuery({ query: GROUPS, variables });
  const found = data?.rejectedEventGroups?.find(({ key }) => key === group);
  if (found?.endpoint !== REPLAYED_ENDPOINT) return null;
  const { count } = found;
  return (
    <ReplayButton
      scope={{ range, codes: [code], group }}
      label={`Replay this group (${count === 1 ? '1 event' : `${inCount(count)} events`})`}
    />
  );
}
