import { Anchor, Checkbox, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { ResultOf, VariablesOf } from '../../../graph/graphql.ts';
import { inCount, inExactMoment, inMoment } from '../../../pieces/in-words.ts';
import { MoreButton } from '../../../pieces/MoreButton.tsx';
import { Problem } from '../../../pieces/Problem.tsx';
import { State } from '../../../pieces/State.tsx';
import { rejectedEventHref } from '../../../pieces/sent-event/rejected-event-href.ts';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { UserLink } from '../../../pieces/UserLink.tsx';
import { usePages } from '../../../pieces/use-pages.ts';
import { EVENTS, type RejectedRow, rowOf } from '../rejected-query.ts';
import type { useRejectedFilter } from '../use-rejected-filter.ts';
import { useReturnFocus } from './use-return-focus.ts';

type EventsOfGroupProps = {
  readonly first: NonNullable<ResultOf<typeof EVENTS>['rejectedEvents']>;
  readonly variables: Omit<VariablesOf<typeof EVENTS>, 'after'>;
  readonly filter: ReturnType<typeof useRejectedFilter>;
};

/** The events of a group, and which of them were accepted since. */
export function EventsOfGroup({ first, variables, filter }: EventsOfGroupProps) {
  const pages = usePages(first, EVENTS, variables, data => data.rejectedEvents);
  const { nodes, page, isLoading, error, showMore } = pages;
  const { event, params, change } = filter;
  const isFiltered = params.get('accepted') === 'no';
  const rows = nodes.map(rowOf);
  const shown = isFiltered ? rows.filter(({ isAccepted }) => isAccepted !== true) : rows;
  const box = useReturnFocus(shown, event);
  const accepted = rows.filter(({ isAccepted }) => isAccepted === true).length;
  return (
    <div ref={box}>
      <Group px="lg" pb="sm" justify="space-between">
        <Text size="sm">
          {inCount(accepted)} of {page.hasNextPage ? 'the newest ' : ''}
          {inCount(rows.length)} {rows.length === 1 ? 'event' : 'events'} accepted since, by a
          replay or when sent again
        </Text>
        <Checkbox
          label="Only events not accepted since"
          checked={isFiltered}
          onChange={({ currentTarget: { checked } }) =>
            change({ accepted: checked ? 'no' : undefined })
          }
        />
      </Group>
      {shown.length === 0 ? (
        <Text size="sm" c="dimmed" px="lg" pb="lg">
          All of these events were accepted since.
        </Text>
      ) : (
        <Table
          label="Events of the group"
          rows={shown}
          keyOf={({ hash, sent }) => `${sent.endpoint} ${hash}`}
          columns={[receivedColumn(params), ...COLUMNS]}
        />
      )}
      {error && <Problem error={error} onRetry={showMore} />}
      <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
    </div>
  );
}

function receivedColumn(params: URLSearchParams): Column<RejectedRow> {
  return {
    title: 'Received',
    cell: ({ sent }) => (
      <Anchor
        component={Link}
        href={rejectedEventHref(sent, params)}
        underline="hover"
        fw={600}
        size="sm"
        title={inExactMoment(sent.receivedAt)}
      >
        {inMoment(sent.receivedAt)}
      </Anchor>
    ),
  };
}

const COLUMNS: readonly Column<RejectedRow>[] = [
  {
    title: 'User ID',
    cell: ({ sent: { userId, anonymousId } }) =>
      userId === null ? (
        <Text size="sm" c="dimmed" className="mono" style={{ overflowWrap: 'anywhere' }}>
          {anonymousId ?? 'Anonymous'}
        </Text>
      ) : (
        <UserLink userId={userId} />
      ),
  },
  {
    title: 'Since then',
    cell: ({ isAccepted }) =>
      isAccepted === true ? (
        <State name="ACCEPTED" tone="good" />
      ) : (
        <Text size="sm" c="dimmed">
          {isAccepted === null ? 'Unknown' : '–'}
        </Text>
      ),
  },
  {
    title: 'Message',
    isWide: true,
    cell: ({ sent }) => sent.refusal.message,
  },
];
