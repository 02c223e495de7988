import { Stack, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { inExactMoment } from '../../../pieces/in-words.ts';
import { placeOf } from '../../../pieces/sent-event/place-of.ts';
import { SentPayload } from '../../../pieces/sent-event/SentPayload.tsx';
import { EVENTS, type RejectedNode, rowOf } from '../rejected-query.ts';
import classes from './example.module.css';
import type { ReplayScope } from './replay-href.ts';
import { REPLAYED_ENDPOINT } from './replay-query.ts';

/** One of the events to replay, as it was sent: the error is seen while it is corrected. */
export function Example({ scope }: { readonly scope: ReplayScope }) {
  const { range, codes, group = null, hash } = scope;
  // The most frequent of the chosen reasons.
  const [code = null] = codes;
  const variables = useMemo(() => ({ range, code, group }), [range, code, group]);
  const asked = useQuery({
    query: EVENTS,
    variables,
    // The list that led here has asked for the same. A newer event must not replace the one being read.
    requestPolicy: 'cache-first',
    pause: code === null,
  });
  const [{ data }] = asked;
  const example = useMemo(() => exampleOf(data?.rejectedEvents?.nodes ?? [], hash), [data, hash]);
  if (code === null || (data && example === undefined)) return null;
  return (
    <Stack gap="xs" className={classes.example!}>
      <Title order={3} size="sm">
        {hash === undefined ? 'One of the events, as sent' : 'The event, as sent'}
      </Title>
      <Asked asked={asked} label="Loading an event">
        {() => example && <Shown node={example} isOnly={hash !== undefined} />}
      </Asked>
    </Stack>
  );
}

/** An event that was accepted since needs no correction. */
function exampleOf(nodes: readonly RejectedNode[], hash: string | undefined) {
  const found = nodes.filter(
    node => node.endpoint === REPLAYED_ENDPOINT && (hash === undefined || node.hash === hash),
  );
  return found.find(({ isAccepted }) => isAccepted !== true) ?? found[0];
}

type ShownProps = {
  readonly node: RejectedNode;
  /** The facts above it are its own. */
  readonly isOnly: boolean;
};

function Shown({ node, isOnly }: ShownProps) {
  const { sent } = useMemo(() => rowOf(node), [node]);
  const { receivedAt, refusal } = sent;
  return (
    <Stack gap="xs">
      {!isOnly && (
        <Text size="sm" c="dimmed">
          {refusal.code}, received {inExactMoment(receivedAt)}
        </Text>
      )}
      {/* Else the payload has the message at that place. */}
      {!isOnly && placeOf(refusal) === undefined && <Text size="sm">{refusal.message}</Text>}
      <SentPayload sent={sent} />
    </Stack>
  );
}
