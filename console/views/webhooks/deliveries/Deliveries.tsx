import { Anchor, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import type { ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { MoreButton } from '../../../pieces/MoreButton.tsx';
import { Problem } from '../../../pieces/Problem.tsx';
import { State } from '../../../pieces/State.tsx';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { usePages } from '../../../pieces/use-pages.ts';
import { type Ask, useRepeat } from '../../../pieces/use-repeat.ts';
import { useWaitingAgain } from '../../../pieces/use-waiting.ts';
import { When } from '../../../pieces/When.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { DELIVERY_STATES, nameOf, shownStateOf } from '../endpoint-words.ts';
import { WEBHOOKS } from '../webhook-paths.ts';
import { DeliveryFilters } from './DeliveryFilters.tsx';
import {
  DELIVERIES,
  type DeliveryFilter,
  type ListedDelivery,
  OF_DELIVERIES,
} from './deliveries-query.ts';
import { LastResult } from './LastResult.tsx';
import { ResendIcon } from './ResendButton.tsx';
import { RetryingInstead } from './RetryingInstead.tsx';
import { lookMs } from './soon.ts';
import { type Chosen, useDeliveryFilter } from './use-delivery-filter.ts';

type DeliveriesProps = {
  /** The filters that the page fixes. */
  readonly fixed: { readonly endpointId?: string };
  readonly isReplayable: boolean;
  /** Refetches the rest of the page at the same moments as the log, so that both agree. */
  readonly askAlso?: Ask;
};

/** The delivery log with filters, which are kept in the URL. */
export function Deliveries({ fixed, isReplayable, askAlso }: DeliveriesProps) {
  const { filter, chosen, choose } = useDeliveryFilter();
  const variables = useMemo(() => ({ ...filter, ...fixed }), [filter, fixed]);
  const asked = useQuery({ query: DELIVERIES, variables, context: OF_DELIVERIES });
  const ask = asked[1];
  const again = useCallback<Ask>(
    options => {
      ask(options);
      askAlso?.(options);
    },
    [ask, askAlso],
  );
  return (
    <Card title="Deliveries" isFlush>
      <DeliveryFilters chosen={chosen} onChoose={choose} />
      <Asked asked={asked} label="Loading deliveries">
        {found => (
          <DeliveryList
            data={found}
            variables={variables}
            chosen={chosen}
            isReplayable={isReplayable}
            ask={again}
          />
        )}
      </Asked>
    </Card>
  );
}

type DeliveryListProps = {
  readonly data: ResultOf<typeof DELIVERIES>;
  readonly variables: DeliveryFilter;
  readonly chosen: Chosen;
  readonly isReplayable: boolean;
  readonly ask: Ask;
};

function DeliveryList(props: DeliveryListProps) {
  const { data, variables, chosen, isReplayable, ask } = props;
  const { endpointId } = variables;
  const { nodes, page, isLoading, error, showMore } = usePages(
    data.webhookDeliveries,
    DELIVERIES,
    variables,
    of => of.webhookDeliveries,
  );
  // A refetch would query the further pages again as well.
  const isPaged = nodes.length > data.webhookDeliveries.nodes.length;
  useRepeat(ask, isPaged || isLoading ? undefined : lookMs(nodes));
  useWaitingAgain(failingOf(nodes));
  const isOwner = useMay('OWNER');
  if (nodes.length === 0)
    return Object.keys(chosen).length > 0 ? (
      <Empty title="No matching deliveries">
        No deliveries match the filters.
        {chosen.state === 'FAILED' && <RetryingInstead endpointId={endpointId} />}
      </Empty>
    ) : (
      <Empty title="No deliveries yet" icon={IconSend}>
        Events are delivered within moments. Send a test to check that an endpoint receives them.
      </Empty>
    );
  const columns = [
    ...COLUMNS.filter(({ title }) => endpointId == null || title !== 'Endpoint'),
    ...(isOwner && isReplayable ? [RESEND] : []),
  ];
  return (
    <>
      <Table label="Deliveries" rows={nodes} keyOf={({ id }) => id} columns={columns} />
      {error && <Problem error={error} />}
      <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
    </>
  );
}

function failingOf(nodes: readonly ListedDelivery[]): string {
  const failing = nodes.flatMap(({ endpoint }) => (endpoint?.failingSince ? [endpoint.id] : []));
  return [...new Set(failing)].toSorted().join();
}

const COLUMNS: readonly Column<ListedDelivery>[] = [
  {
    title: 'Event',
    cell: ({ id, eventType }) => (
      <Anchor component={Link} href={WEBHOOKS.delivery(id)} underline="hover" fw={600} size="sm">
        {eventType}
      </Anchor>
    ),
  },
  {
    title: 'State',
    cell: delivery => {
      const state = shownStateOf(delivery);
      return <State name={state} {...DELIVERY_STATES[state]} />;
    },
  },
  {
    title: 'Endpoint',
    isWide: true,
    cell: ({ endpoint }) =>
      endpoint === null ? (
        <Text size="sm" c="dimmed">
          Deleted endpoint
        </Text>
      ) : (
        <Anchor component={Link} href={WEBHOOKS.endpoint(endpoint.id)} underline="hover" size="sm">
          {nameOf(endpoint)}
        </Anchor>
      ),
  },
  { title: 'Last response', isWide: true, cell: delivery => <LastResult of={delivery} /> },
  {
    title: 'Time',
    isWide: true,
    cell: ({ createdAt, state, nextAttemptAt }) => (
      <Stack gap={0}>
        <When at={createdAt} isRelative />
        {state === 'PENDING' && nextAttemptAt !== null && (
          <Text size="xs" c="dimmed">
            next attempt <When at={nextAttemptAt} isRelative />
          </Text>
        )}
      </Stack>
    ),
  },
];

const RESEND: Column<ListedDelivery> = {
  title: 'Resend',
  cell: delivery => <ResendIcon delivery={delivery} />,
};
