import { Anchor, Stack, Text } from '@mantine/core';
import { IconActivity, IconFilter } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { graphql } from '../../graph/graphql.ts';
import { CodeBlock } from '../../pieces/CodeBlock.tsx';
import { Empty } from '../../pieces/Empty.tsx';
import { CURL } from '../../snippets/plain-http.ts';
import { filledIn } from '../../snippets/snippet.ts';

/** The newest keys can include revoked and expired ones. */
const KEYS = graphql(`
  query LiveKeys { sdkKeys(first: 20) { nodes { id writeKey isActive } } }
`);

type NothingYetProps = { readonly isFiltered: boolean; readonly isOfMinute: boolean };

export function NothingYet({ isFiltered, isOfMinute }: NothingYetProps) {
  if (isOfMinute) return <Empty title="No matching events in this minute" icon={IconFilter} />;
  if (isFiltered)
    return (
      <Empty title="No matching events" icon={IconFilter}>
        New events that match the filters appear here.
      </Empty>
    );
  return (
    <Empty title="Waiting for events" icon={IconActivity}>
      <Text inherit mb="md">
        No events arrived in the last 15 minutes. New events appear here within a second. To send a
        test event:
      </Text>
      <TryIt />
    </Empty>
  );
}

function TryIt() {
  const [{ data }] = useQuery({ query: KEYS });
  if (data === undefined) return null;
  const key = data.sdkKeys.nodes.find(({ isActive }) => isActive);
  if (key === undefined)
    return (
      <Text inherit>
        There is no SDK key yet:{' '}
        <Anchor component={Link} href="/keys" inherit>
          create one
        </Anchor>
        .
      </Text>
    );
  const sender = { host: location.origin, writeKey: key.writeKey };
  return (
    <Stack ta="start">
      <CodeBlock label="curl command" code={filledIn(CURL, sender)} />
    </Stack>
  );
}
