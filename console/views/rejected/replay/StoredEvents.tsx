import { Anchor, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { EVENTS, GROUPS, GROUPS_MAX, type Group, rowOf } from '../rejected-query.ts';
import { type Change, changesOf } from './change.ts';
import type { Replay } from './replay-query.ts';

/** Where the accepted events of a replay are shown. */
export function StoredEvents({ replay }: { readonly replay: Replay }) {
  const { since, until, createdAt, correction } = replay;
  const changes = changesOf(correction);
  const name = useEventName(replay);
  const isSameName = !['event', 'name', 'type'].some(field => isChanged(changes, field));
  const search = new URLSearchParams({
    ...(name !== undefined && isSameName && { event: name }),
    range: 'custom',
    from: since,
    to: until ?? createdAt,
  });
  return (
    <Text size="sm">
      {isChanged(changes, 'timestamp')
        ? 'Accepted events have their corrected times.'
        : 'Accepted events keep their times.'}{' '}
      See them{' '}
      <Anchor component={Link} href={`/insights/trends?${search}`} inherit>
        in Insights
      </Anchor>
      , or in the timelines of their people under{' '}
      <Anchor component={Link} href="/people" inherit>
        People
      </Anchor>
      . New ones appear after a few seconds.
    </Text>
  );
}

function isChanged(changes: readonly Change[], field: string): boolean {
  return changes.some(
    ({ kind, path, to }) => path === field || (kind === 'rename' && to === field),
  );
}

/** The name of all events of the replay; undefined if they have several or it is not known. */
function useEventName({ codes, group, hash, since, until, createdAt }: Replay): string | undefined {
  const [code = null, ...others] = codes;
  const range = useMemo(() => ({ from: since, to: until ?? createdAt }), [since, until, createdAt]);
  const [{ data: grouped }] = useQuery({
    query: GROUPS,
    variables: { range, code: others.length === 0 ? code : null },
    pause: hash !== null,
  });
  const [{ data: single }] = useQuery({
    query: EVENTS,
    variables: { range, code, group },
    pause: hash === null,
  });
  if (hash !== null) {
    const node = single?.rejectedEvents?.nodes.find(one => one.hash === hash);
    return node && (rowOf(node).sent.name ?? undefined);
  }
  const groups = grouped?.rejectedEventGroups ?? [];
  if (groups.length === GROUPS_MAX) return undefined;
  const isReplayed = (one: Group) =>
    codes.includes(one.code) && (group === null || one.key === group);
  const names = new Set(groups.filter(isReplayed).map(nameOf));
  return names.size === 1 ? [...names][0] : undefined;
}

/** A group of events without a name has their type instead. */
const TYPES = new Set(['track', 'identify', 'page', 'screen', 'group', 'alias']);

function nameOf({ event }: Group): string | undefined {
  return event === null || TYPES.has(event) ? undefined : event;
}
