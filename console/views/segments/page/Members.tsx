import { Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useMemo } from 'react';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { UserLink } from '../../../pieces/UserLink.tsx';
import { When } from '../../../pieces/When.tsx';
import type { Segment } from '../segment-query.ts';

const MEMBERS = graphql(`
  query SegmentMembers($id: ID!, $after: String) {
    segmentMembers(id: $id, first: 50, after: $after) {
      nodes { userId enteredAt }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

type Member = NonNullable<ResultOf<typeof MEMBERS>['segmentMembers']>['nodes'][number];

/** The people who matched the rule at the last evaluation. */
export function Members({ segment: { id, evaluatedAt } }: { readonly segment: Segment }) {
  const variables = useMemo(() => ({ id }), [id]);
  return (
    <Card title="People in the segment" isFlush>
      <Text size="sm" c="dimmed" px="lg" pb="sm">
        As of the last evaluation, most recently added first.
      </Text>
      <PagedTable
        label="People in the segment"
        document={MEMBERS}
        variables={variables}
        connectionOf={({ segmentMembers }) => segmentMembers}
        typename="Segment"
        keyOf={({ userId }) => userId}
        columns={COLUMNS}
        empty={<Nobody isEvaluated={evaluatedAt !== null} />}
      />
    </Card>
  );
}

function Nobody({ isEvaluated }: { readonly isEvaluated: boolean }) {
  if (!isEvaluated)
    return (
      <Empty title="Evaluating" icon={IconUsers}>
        People who match the rule appear here within seconds.
      </Empty>
    );
  return (
    <Empty title="No one matches the rule" icon={IconUsers}>
      Only events with a user ID count. People become members at the next evaluation after they
      match.
    </Empty>
  );
}

const COLUMNS: readonly Column<Member>[] = [
  { title: 'Person', cell: ({ userId }) => <UserLink userId={userId} /> },
  { title: 'Member since', cell: ({ enteredAt }) => <When at={enteredAt} isRelative /> },
];
