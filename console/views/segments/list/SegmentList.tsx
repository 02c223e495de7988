import { Anchor, Box, Button, Switch, Text } from '@mantine/core';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'wouter';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { Page } from '../../../pieces/Page.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { ruleInWords } from '../rule/rule-in-words.ts';
import { SegmentState } from '../SegmentState.tsx';
import { NEW_SEGMENT, segmentPath } from '../segment-paths.ts';

const SEGMENT_LIST = graphql(`
  query Segments($includeArchived: Boolean, $after: String) {
    segments(first: 50, includeArchived: $includeArchived, after: $after) {
      nodes { id name rule memberCount evaluatedAt archivedAt fault }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

type Listed = ResultOf<typeof SEGMENT_LIST>['segments']['nodes'][number];

export function SegmentList() {
  const [params, setParams] = useSearchParams();
  const includeArchived = params.has('archived');
  const variables = useMemo(() => ({ includeArchived }), [includeArchived]);
  return (
    <Page
      title="Segments"
      about="Groups of people, based on their behavior and traits, for campaigns and journeys."
      actions={
        <Button component={Link} href={NEW_SEGMENT} leftSection={<IconPlus size={17} />}>
          New segment
        </Button>
      }
    >
      <Card isFlush>
        <Box p="lg" pb="md">
          <Switch
            label="Show archived segments"
            checked={includeArchived}
            onChange={({ currentTarget }) =>
              setParams(currentTarget.checked ? { archived: '' } : {}, { replace: true })
            }
          />
        </Box>
        <PagedTable
          label="Segments"
          document={SEGMENT_LIST}
          variables={variables}
          connectionOf={data => data.segments}
          typename="Segment"
          keyOf={({ id }) => id}
          columns={COLUMNS}
          empty={<NoSegments />}
        />
      </Card>
    </Page>
  );
}

function NoSegments() {
  return (
    <Empty title="No segments yet" icon={IconUsersGroup}>
      A segment is a group of people, such as those who ordered twice this month. Use segments as
      the audience of campaigns and the entry of journeys.
      <div>
        <Button component={Link} href={NEW_SEGMENT} mt="md">
          New segment
        </Button>
      </div>
    </Empty>
  );
}

const COLUMNS: readonly Column<Listed>[] = [
  {
    title: 'Name',
    cell: ({ id, name, rule }) => (
      <>
        <Anchor
          component={Link}
          href={segmentPath(id)}
          fw={600}
          style={{ overflowWrap: 'anywhere' }}
        >
          {name}
        </Anchor>
        <Text size="xs" c="dimmed" lineClamp={2}>
          {ruleInWords(rule)}
        </Text>
      </>
    ),
  },
  { title: 'State', cell: segment => <SegmentState segment={segment} /> },
  { title: 'People', isNumber: true, cell: segment => inMembers(segment) },
  {
    title: 'Evaluated',
    isWide: true,
    cell: ({ evaluatedAt }) => <When at={evaluatedAt} isRelative />,
  },
];

/** Before the first evaluation they are not known. */
function inMembers({ memberCount, evaluatedAt, archivedAt }: Listed): string {
  return evaluatedAt === null || archivedAt !== null ? '–' : inCount(memberCount);
}
