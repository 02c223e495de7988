import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../../graph/graphql.ts';
import { Facts } from '../../pieces/Facts.tsx';
import { inCount, inExactMoment } from '../../pieces/in-words.ts';
import { JsonText } from '../../pieces/json/JsonText.tsx';
import { isRejected, type LiveSent } from './live-document.ts';
import { placeOf } from './place-of.ts';

const KEY = graphql(`
  query LiveKey($id: ID!) { node(id: $id) { __typename ... on SdkKey { id name } } }
`);

/** All of one event, as it was sent; of a refused one, why and where. */
export function OpenedEvent({ sent }: { readonly sent: LiveSent }) {
  const mark = useMemo(() => (isRejected(sent) ? placeOf(sent) : undefined), [sent]);
  return (
    <Stack gap="lg">
      {isRejected(sent) && (
        <Alert
          color="red"
          variant="outline"
          icon={<IconAlertTriangle />}
          title={sent.code}
          role="note"
        >
          {sent.message}
        </Alert>
      )}
      <EventFacts sent={sent} />
      <Stack gap="xs">
        <JsonText text={sent.body} label="What was sent" mark={mark} />
        {sent.isBodyCut && (
          <Text size="sm" c="dimmed">
            The beginning of {inCount(sent.bodyBytes)} bytes.
          </Text>
        )}
      </Stack>
    </Stack>
  );
}

function EventFacts({ sent }: { readonly sent: LiveSent }) {
  const [{ data }] = useQuery({ query: KEY, variables: { id: sent.sdkKeyId } });
  const mono = (text: string | null) => text && <span className="mono">{text}</span>;
  return (
    <Facts
      facts={[
        ['Came', inExactMoment(sent.receivedAt)],
        ['At', mono(sent.endpoint)],
        ['With the key', data?.node?.__typename === 'SdkKey' ? data.node.name : '…'],
        ['Type', sent.type],
        ['User', mono(sent.userId)],
        ['Anonymous id', mono(sent.anonymousId)],
        ['Message id', mono(sent.messageId)],
        ['Place in its batch', isRejected(sent) ? inCount(sent.batchIndex + 1) : undefined],
      ]}
    />
  );
}
