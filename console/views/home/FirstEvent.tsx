import { Anchor, Group, Loader, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { graphql } from '../../graph/graphql.ts';
import { CodeBlock } from '../../pieces/CodeBlock.tsx';
import { useRepeat } from '../../pieces/use-repeat.ts';
import { When } from '../../pieces/When.tsx';
import { CURL } from '../../snippets/plain-http.ts';
import { filledIn } from '../../snippets/snippet.ts';
import { Step } from './Step.tsx';

const NEWEST = graphql(`
  query HomeNewest { ingestHealth { newestReceivedAt } }
`);

/** Short, because the viewer is waiting for the event on this page. */
const ASK_INTERVAL_MS = 3_000;

type FirstEventProps = {
  /** Undefined if there is no key to send it with. */
  readonly writeKey: string | undefined;
  /** Events were received earlier. */
  readonly hasBeen: boolean;
};

/** Waits for the first event, and turns green when it is there. */
export function FirstEvent({ writeKey, hasBeen }: FirstEventProps) {
  const [{ data }, ask] = useQuery({ query: NEWEST });
  const newestAt = data?.ingestHealth?.newestReceivedAt;
  const isDone = hasBeen || Boolean(newestAt);
  useRepeat(ask, isDone || writeKey === undefined ? undefined : ASK_INTERVAL_MS);
  return (
    <Step title="Send the first event" isDone={isDone}>
      {isDone ? (
        <Text size="sm" role="status">
          {/* First, so that it stays in its place when the time becomes known. */}
          <Anchor component={Link} href="/live" inherit>
            See it live
          </Anchor>
          {' · '}
          {newestAt ? (
            <>
              Event received <When at={newestAt} isInSentence />
            </>
          ) : (
            'Events were received'
          )}
        </Text>
      ) : writeKey === undefined ? (
        <Text size="sm" c="dimmed">
          Create a key first: it comes with code that sends an event.
        </Text>
      ) : (
        <Waiting writeKey={writeKey} />
      )}
    </Step>
  );
}

function Waiting({ writeKey }: { readonly writeKey: string }) {
  return (
    <>
      <CodeBlock label="curl command" code={filledIn(CURL, { host: location.origin, writeKey })} />
      <Text size="sm" c="dimmed">
        Or use an SDK: snippets for each platform are under{' '}
        <Anchor component={Link} href="/keys" inherit>
          Keys
        </Anchor>
        .
      </Text>
      <Group gap="xs" role="status">
        <Loader size="xs" aria-hidden />
        <Text size="sm">Waiting for the first event…</Text>
      </Group>
    </>
  );
}
