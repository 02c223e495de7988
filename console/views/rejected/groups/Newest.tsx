import { Button, Center, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import type { ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { Problem } from '../../../pieces/Problem.tsx';
import type { Range } from '../../../pieces/range/range.ts';
import { usePages } from '../../../pieces/use-pages.ts';
import { EVENTS, rowOf } from '../rejected-query.ts';
import { GROUP_FIELDS, type useRejectedFilter } from '../use-rejected-filter.ts';
import { GroupTable } from './GroupTable.tsx';
import { groupRows } from './group-rows.ts';
import { OpenedGroup } from './OpenedGroup.tsx';

type NewestProps = {
  readonly range: Range;
  readonly filter: ReturnType<typeof useRejectedFilter>;
};

/** The newest events in groups. The API counts by reason only, so the groups are counted here. */
export function Newest({ range, filter }: NewestProps) {
  const { code } = filter;
  const variables = useMemo(() => ({ range, ...(code !== undefined && { code }) }), [range, code]);
  const asked = useQuery({ query: EVENTS, variables });
  return (
    <Asked asked={asked} label="Loading rejected events">
      {({ rejectedEvents: first }) =>
        first && <Pages first={first} variables={variables} filter={filter} />
      }
    </Asked>
  );
}

type PagesProps = Pick<NewestProps, 'filter'> & {
  readonly first: NonNullable<ResultOf<typeof EVENTS>['rejectedEvents']>;
  readonly variables: { readonly range: Range; readonly code?: string };
};

function Pages({ first, variables, filter }: PagesProps) {
  const pages = usePages(first, EVENTS, variables, data => data.rejectedEvents);
  const { nodes, page, isLoading, error, showMore } = pages;
  const rows = useMemo(() => nodes.map(rowOf), [nodes]);
  const groups = useMemo(() => groupRows(rows), [rows]);
  const { params, code } = filter;
  if (rows.length === 0) return null;
  const isOpen = GROUP_FIELDS.every(field => params.has(field)) && code !== undefined;
  return (
    <Card isFlush title={isOpen ? 'Events of one group' : 'By event, key and SDK version'}>
      {isOpen ? (
        <OpenedGroup groups={groups} filter={filter} />
      ) : (
        <GroupTable groups={groups} filter={filter} />
      )}
      {error && <Problem error={error} onRetry={() => showMore(page.endCursor ?? '')} />}
      <Text size="sm" c="dimmed" px="lg" py="sm">
        {page.hasNextPage
          ? `Only the newest ${inCount(rows.length)} events are grouped.`
          : `All ${inCount(rows.length)} events are grouped.`}
      </Text>
      {page.hasNextPage && page.endCursor !== null && (
        <Center pb="md">
          <Button
            variant="default"
            loading={isLoading}
            onClick={() => showMore(page.endCursor ?? '')}
          >
            Include older events
          </Button>
        </Center>
      )}
    </Card>
  );
}
