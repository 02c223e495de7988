import { Anchor, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import type { ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { MoreButton } from '../../../pieces/MoreButton.tsx';
import { Problem } from '../../../pieces/Problem.tsx';
import { State } from '../../../pieces/State.tsx';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { usePages } from '../../../pieces/use-pages.ts';
import { useRepeat } from '../../../pieces/use-repeat.ts';
import { When } from '../../../pieces/When.tsx';
import { RejectedPage } from '../RejectedPage.tsx';
import { REJECTED } from '../rejected-paths.ts';
import { REPLAYS, type Replay } from './replay-query.ts';
import { progressMs, REPLAY_STATES } from './replay-states.ts';

const CONTEXT = { additionalTypenames: ['RejectedEventsReplay'] };

export function ReplayList() {
  const variables = useMemo(() => ({}), []);
  const asked = useQuery({ query: REPLAYS, variables, context: CONTEXT });
  const [{ data }, ask] = asked;
  useRepeat(ask, progressMs(data?.rejectedEventsReplays.nodes ?? []));
  return (
    <RejectedPage>
      <Card isFlush title="Replays">
        <Asked asked={asked} label="Loading replays">
          {({ rejectedEventsReplays }) => <Pages first={rejectedEventsReplays} />}
        </Asked>
      </Card>
    </RejectedPage>
  );
}

type PagesProps = { readonly first: ResultOf<typeof REPLAYS>['rejectedEventsReplays'] };

function Pages({ first }: PagesProps) {
  const pages = usePages(first, REPLAYS, {}, data => data.rejectedEventsReplays);
  const { nodes, page, isLoading, error, showMore } = pages;
  if (nodes.length === 0)
    return (
      <Empty title="No replays" icon={IconSend}>
        <Anchor component={Link} href={REJECTED.groups} inherit>
          Choose rejected events
        </Anchor>{' '}
        to correct them and send them again.
      </Empty>
    );
  return (
    <>
      <Table label="Replays" rows={nodes} keyOf={({ id }) => id} columns={COLUMNS} />
      {error && <Problem error={error} />}
      <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
    </>
  );
}

const COLUMNS: readonly Column<Replay>[] = [
  {
    title: 'Requested',
    cell: ({ id, createdAt }) => (
      <Anchor component={Link} href={REJECTED.replayed(id)} underline="hover" fw={600} size="sm">
        <When at={createdAt} />
      </Anchor>
    ),
  },
  { title: 'State', cell: ({ state }) => <State name={state} {...REPLAY_STATES[state]} /> },
  {
    title: 'Reasons',
    isWide: true,
    cell: ({ codes }) => (
      <Stack gap={0}>
        {codes.map(code => (
          <Text key={code} size="sm">
            {code}
          </Text>
        ))}
      </Stack>
    ),
  },
  {
    title: 'Accepted',
    isNumber: true,
    cell: ({ report }) =>
      report === null ? '–' : `${inCount(report.accepted)} of ${inCount(report.found)}`,
  },
];
