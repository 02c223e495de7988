import { Anchor, Box, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { inCount } from '../../../pieces/in-words.ts';
import { useRepeat } from '../../../pieces/use-repeat.ts';
import { When } from '../../../pieces/When.tsx';
import { REJECTED } from '../rejected-paths.ts';
import type { Group } from '../rejected-query.ts';
import { REPLAYS, type Replay } from './replay-query.ts';
import { progressMs, REPLAY_STATES } from './replay-states.ts';

/** One query for all components that use it. */
const NEWEST = {};

/** The newest replay that covered events of the group, among the newest of the workspace. */
export function LastReplay({ group }: { readonly group: Group }) {
  const [{ data, fetching }, ask] = useQuery({
    query: REPLAYS,
    variables: NEWEST,
    context: CONTEXT,
  });
  const replays = data?.rejectedEventsReplays;
  const replay = replays?.nodes.find(node => covers(node, group));
  useRepeat(ask, progressMs(replay === undefined ? [] : [replay]));
  return (
    <Box miw="6.75rem">
      {replay === undefined ? (
        <Text inherit span c="dimmed">
          {replays && !replays.pageInfo.hasNextPage ? '–' : fetching ? '…' : 'Unknown'}
        </Text>
      ) : (
        <>
          <Anchor component={Link} href={REJECTED.replayed(replay.id)} size="sm" underline="hover">
            <When at={replay.createdAt} isRelative />
          </Anchor>
          <Outcome replay={replay} />
        </>
      )}
    </Box>
  );
}

/** Only of a replay of the group alone, once it has tried all of its events. */
function Outcome({ replay: { state, group, report } }: { readonly replay: Replay }) {
  if (state === 'COMPLETED' && (group === null || report === null)) return null;
  return (
    <Text size="xs" c="dimmed">
      {state === 'COMPLETED' && report !== null
        ? `${inCount(report.accepted)} of ${inCount(report.found)} accepted`
        : REPLAY_STATES[state].label}
    </Text>
  );
}

const CONTEXT = { additionalTypenames: ['RejectedEventsReplay'] };

/** A replay of a single event is not one of its group. */
function covers(replay: Replay, { key, code, firstSeenAt, lastSeenAt }: Group): boolean {
  const until = replay.until ?? replay.createdAt;
  return (
    replay.hash === null &&
    (replay.group === null || replay.group === key) &&
    replay.codes.includes(code) &&
    Date.parse(replay.since) <= Date.parse(lastSeenAt) &&
    Date.parse(until) > Date.parse(firstSeenAt)
  );
}
