import { ActionIcon, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useMemo, useRef } from 'react';
import { useQuery } from 'urql';
import type { ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { MoreButton } from '../../../pieces/MoreButton.tsx';
import { Problem } from '../../../pieces/Problem.tsx';
import type { Connection } from '../../../pieces/pages-of.ts';
import { Table } from '../../../pieces/Table.tsx';
import { UserLink } from '../../../pieces/UserLink.tsx';
import { usePages } from '../../../pieces/use-pages.ts';
import { DROP_OFFS, type FunnelVariables } from './funnel-query.ts';

type DropOffsProps = {
  readonly variables: FunnelVariables;
  /** The last step that they reached, from 1. */
  readonly step: number;
  readonly names: readonly string[];
  readonly onClose: () => void;
};

/** The people who reached a step and not the next one. */
export function DropOffs({ variables, step, names, onClose }: DropOffsProps) {
  const { breakdown: _breakdown, ...attempts } = variables;
  const asked = useQuery({ query: DROP_OFFS, variables: { ...attempts, step } });
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div ref={box}>
      <Card
        title={`Drop-offs after ${names[step - 1]}`}
        actions={
          <ActionIcon variant="subtle" color="gray" aria-label="Close drop-offs" onClick={onClose}>
            <IconX size={17} />
          </ActionIcon>
        }
        isFlush
      >
        <Text size="sm" c="dimmed" px="lg" pb="sm">
          These people did not reach {names[step]} within the conversion window.
        </Text>
        <Asked asked={asked} label="Loading people">
          {data => <People data={data} variables={{ ...attempts, step }} />}
        </Asked>
      </Card>
    </div>
  );
}

type Data = ResultOf<typeof DROP_OFFS>;

type PeopleProps = {
  readonly data: Data;
  readonly variables: Omit<FunnelVariables, 'breakdown'> & { readonly step: number };
};

function People({ data, variables }: PeopleProps) {
  const first = useMemo(() => connectionOf(data), [data]);
  const pages = usePages(first, DROP_OFFS, variables, connectionOf);
  const { nodes, page, isLoading, error, showMore } = pages;
  return (
    <>
      <Table
        label="Drop-offs"
        rows={nodes}
        keyOf={userId => userId}
        columns={[{ title: 'Person', cell: userId => <UserLink userId={userId} /> }]}
      />
      {error && <Problem error={error} />}
      <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
    </>
  );
}

function connectionOf({ funnelDropOffs: found }: Data): Connection<string> {
  return {
    nodes: found?.personIds ?? [],
    pageInfo: {
      hasNextPage: found?.hasNextPage ?? false,
      endCursor: found?.endCursor ?? null,
    },
  };
}
