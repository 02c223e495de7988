import { Alert, Anchor, Group, Loader, Text } from '@mantine/core';
import { IconBan, IconCheck } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useClient } from 'urql';
import { Link } from 'wouter';
import { type Connection, followLive } from '../../pieces/live-feed/follow-live.ts';
import { isSent, type LiveItem } from '../../pieces/live-feed/live-document.ts';
import { When } from '../../pieces/When.tsx';

type Arrived = Extract<LiveItem, { __typename: 'LiveEvent' | 'LiveRejectedEvent' }>;

type ArrivalProps = { readonly keyId: string; readonly onArrived: (at: string) => void };

/** Whether an event with the key has arrived since this was shown. */
export function Arrival({ keyId, onArrived }: ArrivalProps) {
  const { arrived, state, isCut } = useArrival(keyId, onArrived);
  return (
    <div role="status">
      {arrived !== undefined ? (
        <Told arrived={arrived} />
      ) : state === 'live' && isCut ? (
        <TooFast />
      ) : (
        <Group gap="xs" wrap="nowrap">
          {state !== 'refused' && <Loader size="xs" aria-hidden />}
          <Text size="sm">{STATES[state]}</Text>
        </Group>
      )}
    </div>
  );
}

const STATES: Readonly<Record<Connection['state'], string>> = {
  connecting: 'Connecting…',
  live: 'Waiting for an event with this key…',
  reconnecting: 'Not connected, so an event would not appear here. Reconnecting…',
  waiting: 'Ingest is not responding, so an event may not appear here. Trying again…',
  refused: 'Not connected: events don’t appear here.',
};

/** The feed leaves out events, of this key or of others. */
function TooFast() {
  return (
    <Text size="sm">
      Events are arriving too fast to tell whether one has this key. Look for yours in{' '}
      <Anchor component={Link} href="/live" inherit>
        the live view
      </Anchor>
      .
    </Text>
  );
}

function Told({ arrived }: { readonly arrived: Arrived }) {
  const { type, name, receivedAt } = arrived;
  const event = `“${name ?? type}”`;
  if (arrived.__typename === 'LiveRejectedEvent')
    return (
      <Alert color="red" variant="outline" icon={<IconBan />} title={`${event} was rejected`}>
        {arrived.message}
      </Alert>
    );
  return (
    <Alert color="green" variant="outline" icon={<IconCheck />} title={`${event} arrived`}>
      Received <When at={receivedAt} isInSentence />.{' '}
      <Anchor
        component={Link}
        href={name ? `/live?${new URLSearchParams({ name })}` : '/live'}
        inherit
      >
        See it live
      </Anchor>
    </Alert>
  );
}

const KINDS = ['EVENT', 'REJECTED_EVENT', 'COUNTS'] as const;
/** Shows at most one event per second, because screen readers announce each. */
const TELL_INTERVAL_MS = 1_000;

/** The latest event with the key, the state of the connection, and whether events were left out. */
function useArrival(keyId: string, onArrived: (at: string) => void) {
  const client = useClient();
  const [arrived, setArrived] = useState<Arrived>();
  const [state, setState] = useState<Connection['state']>('connecting');
  const [isCut, setIsCut] = useState(false);
  const tell = useEffectEvent(onArrived);
  useEffect(() => {
    setArrived(undefined);
    setIsCut(false);
    const latest = latestOfSecond(item => {
      setArrived(item);
      tell(item.receivedAt);
    });
    const stop = followLive({
      client,
      variables: { kinds: [...KINDS] },
      onConnection: connection => setState(connection.state),
      onItem: item => {
        if (item.__typename === 'LiveCounts' && item.notShown > 0) setIsCut(true);
        if (isSent(item) && item.sdkKeyId === keyId) latest.take(item);
      },
    });
    return () => {
      stop();
      latest.stop();
    };
  }, [client, keyId]);
  return { arrived, state, isCut };
}

/** Gives the first immediately. */
function latestOfSecond(give: (item: Arrived) => void) {
  let next: Arrived | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const giveNext = () => {
    timer = undefined;
    if (next === undefined) return;
    give(next);
    next = undefined;
    timer = setTimeout(giveNext, TELL_INTERVAL_MS);
  };
  return {
    take: (item: Arrived) => {
      next = item;
      if (timer === undefined) giveNext();
    },
    stop: () => clearTimeout(timer),
  };
}
