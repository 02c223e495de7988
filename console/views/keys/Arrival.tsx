import { Alert, Group, Loader, Text } from '@mantine/core';
import { IconBan, IconCheck } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useClient } from 'urql';
import { followLive } from '../../pieces/live-feed/follow-live.ts';
import { isSent, type LiveItem } from '../../pieces/live-feed/live-document.ts';
import { When } from '../../pieces/When.tsx';

type Arrived = Extract<LiveItem, { __typename: 'LiveEvent' | 'LiveRejectedEvent' }>;

type ArrivalProps = { readonly keyId: string; readonly onArrived: (at: string) => void };

/** Whether an event with the key has arrived since this was shown. */
export function Arrival({ keyId, onArrived }: ArrivalProps) {
  const { arrived, isLive } = useArrival(keyId, onArrived);
  return (
    <div role="status">
      {arrived !== undefined ? (
        <Told arrived={arrived} />
      ) : (
        isLive && (
          <Group gap="xs">
            <Loader size="xs" aria-hidden />
            <Text size="sm">Waiting for an event with this key…</Text>
          </Group>
        )
      )}
    </div>
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
      Received <When at={receivedAt} isRelative />.
    </Alert>
  );
}

const KINDS = ['EVENT', 'REJECTED_EVENT', 'COUNTS'] as const;

/** The latest event with the key, and whether events are seen as they arrive. */
function useArrival(keyId: string, onArrived: (at: string) => void) {
  const client = useClient();
  const [arrived, setArrived] = useState<Arrived>();
  const [isLive, setIsLive] = useState(false);
  const tell = useEffectEvent(onArrived);
  useEffect(() => {
    setArrived(undefined);
    return followLive({
      client,
      variables: { kinds: [...KINDS] },
      onConnection: ({ state }) => setIsLive(state === 'live'),
      onItem: item => {
        if (!isSent(item) || item.sdkKeyId !== keyId) return;
        setArrived(item);
        tell(item.receivedAt);
      },
    });
  }, [client, keyId]);
  return { arrived, isLive };
}
