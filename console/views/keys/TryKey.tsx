import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { CodeBlock } from '../../pieces/CodeBlock.tsx';
import { CURL } from '../../snippets/plain-http.ts';
import { filledIn, type Snippet } from '../../snippets/snippet.ts';
import { Arrival } from './Arrival.tsx';
import { ACCEPTS } from './accepts-words.ts';
import { ClientSelect } from './ClientSelect.tsx';
import type { SdkKey } from './keys-query.ts';
import { useLastClient } from './use-last-client.ts';

type TryKeyProps = {
  readonly sdkKey: SdkKey;
  /** The client that the key was created for. */
  readonly client: Snippet | undefined;
  readonly onArrived: (keyId: string, at: string) => void;
};

/** Code to paste, and where its event appears. */
export function TryKey({ sdkKey, client, onArrived }: TryKeyProps) {
  const { shown, choose } = useChosenClient(sdkKey, client);
  const sender = { host: location.origin, writeKey: sdkKey.writeKey };
  return (
    <Stack>
      <Text size="sm">
        The code sends an event, which also appears in{' '}
        <Anchor component={Link} href="/live" inherit>
          the live view
        </Anchor>
        .
      </Text>
      <ClientSelect value={shown} onChange={choose} />
      <Fit sdkKey={sdkKey} client={shown} />
      <Text size="sm">{shown.about}</Text>
      {shown.install !== undefined && <CodeBlock label="install command" code={shown.install} />}
      <CodeBlock label="snippet" code={filledIn(shown, sender)} />
      {shown.vendor === CURL.vendor && (
        <Text size="sm" c="dimmed">
          A response with the status SUCCESS means that the event is stored safely.
        </Text>
      )}
      <Arrival keyId={sdkKey.id} onArrived={at => onArrived(sdkKey.id, at)} />
    </Stack>
  );
}

/** The client of a new key, else the one that was chosen last if the key accepts it. */
function useChosenClient(sdkKey: SdkKey, made: Snippet | undefined) {
  const [chosen, setChosen] = useState(made);
  const { last, remember } = useLastClient();
  const isAccepted = last.accepts === sdkKey.accepts || last.accepts === 'CONTRACT';
  return {
    shown: chosen ?? (isAccepted ? last : CURL),
    choose: (client: Snippet) => {
      setChosen(client);
      remember(client);
    },
  };
}

/** What to know if the client needs another kind of key than this one. */
function Fit({ sdkKey, client }: { readonly sdkKey: SdkKey; readonly client: Snippet }) {
  if (client.accepts === sdkKey.accepts) return null;
  if (client.accepts === 'CONTRACT')
    return <Text size="sm">This client works with every key.</Text>;
  return (
    <Alert
      role="status"
      color="red"
      variant="outline"
      icon={<IconBan />}
      title="This key doesn’t accept this client"
    >
      The key accepts “{ACCEPTS.CONTRACT.label}”. An owner can edit it to accept “
      {ACCEPTS.COMPATIBLE.label}”.
    </Alert>
  );
}
