import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { graphql } from '../../graph/graphql.ts';
import { Asked } from '../../pieces/Asked.tsx';
import { Card } from '../../pieces/Card.tsx';
import { When } from '../../pieces/When.tsx';

const ERASURES = graphql(`
  query ErasuresOfUser($userId: String!) {
    personErasures(first: 1, userId: $userId) { nodes { id createdAt } }
  }
`);

/** In the place of the contact: nobody with this user ID is known, perhaps because they were erased. */
export function NoContact({ userId }: { readonly userId: string }) {
  const asked = useQuery({ query: ERASURES, variables: { userId } });
  return (
    <Asked asked={asked} label="Loading erasures">
      {({ personErasures: { nodes } }) =>
        nodes[0] === undefined ? (
          <Card title="No contact">
            There is no contact with this user ID. An identify call of an app creates one.
          </Card>
        ) : (
          <Erased at={nodes[0].createdAt} />
        )
      }
    </Asked>
  );
}

function Erased({ at }: { readonly at: string }) {
  return (
    <Card title="Erased">
      <Stack gap="xs">
        <Text size="sm">
          There is no contact with this user ID. The erasure of this person was requested{' '}
          <When at={at} />.
        </Text>
        <Anchor component={Link} href="/settings/privacy" size="sm">
          Receipt of the erasure, in Settings › Privacy
        </Anchor>
      </Stack>
    </Card>
  );
}
