import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { IconUserOff } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { graphql } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { checkedUntil, FOLLOW_MS, isUnderWay } from '../../../pieces/erasure-progress.ts';
import { useRepeat } from '../../../pieces/use-repeat.ts';
import { When } from '../../../pieces/When.tsx';

const ERASURE = graphql(`
  query PersonErasure($id: ID!) {
    node(id: $id) {
      __typename
      id
      ... on PersonErasure { state erasedAt nextPassAt completedAt lateDays }
    }
  }
`);

/** In the place of a person's data, once their erasure was requested. */
export function Erasing({ userId, erasureId }: { userId: string; erasureId: string }) {
  const [asked, again] = useQuery({ query: ERASURE, variables: { id: erasureId } });
  const node = asked.data?.node;
  const erasure = node?.__typename === 'PersonErasure' ? node : undefined;
  const isErasing = erasure === undefined || isUnderWay(erasure);
  const until = erasure?.completedAt === null ? checkedUntil(erasure) : undefined;
  useRepeat(again, isErasing ? FOLLOW_MS : undefined);
  return (
    <Asked asked={[asked, again]} label="Loading the erasure">
      {() => (
        <Alert
          color={isErasing ? 'yellow' : 'gray'}
          variant="outline"
          icon={<IconUserOff />}
          role="status"
          title={isErasing ? `${userId} is being erased` : `${userId} was erased`}
        >
          <Stack gap="xs">
            <Text size="sm">
              {isErasing
                ? 'Everything that is stored about this person is being deleted from all tables, except what must be kept. This takes from seconds to minutes.'
                : 'Everything that was stored about this person was deleted from all tables, except what must be kept.'}
              {until !== undefined && (
                <>
                  {' '}
                  Data that arrives late is checked for and deleted until{' '}
                  <When at={until} isDated />.
                </>
              )}
            </Text>
            <Anchor
              component={Link}
              href={`/settings/privacy?erasure=${encodeURIComponent(erasureId)}`}
              size="sm"
            >
              Receipt of the erasure
            </Anchor>
          </Stack>
        </Alert>
      )}
    </Asked>
  );
}
