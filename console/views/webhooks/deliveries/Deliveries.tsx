import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
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
import { LOOK_MS, lookMs } from './soon.ts';
import { type Chosen, useDeliveryFilter } from './use-delivery-filter.ts';

type DeliveriesProps = {
  /** The filters that the page fixes. */
  readonly fixed: { readonly endpointId?: string };
  readonly isReplayable: boolean;
  /** Refetches the rest of the page, with the log so that both agree; while the log is paused, alone. */
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
            askAlso={askAlso}
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
  readonly askAlso: Ask | undefined;
};

function DeliveryList(props: DeliveryListProps) {
  const { data, variables, chosen, isReplayable, ask, askAlso } = props;
  const { endpointId } = variables;
  const { nodes, page, isLoading, error, showMore } = usePages(
    data.webhookDeliveries,
    DELIVERIES,
    variables,
    of => of.webhookDeliveries,
  );
  const isPaged = nodes.length > data.webhookDeliveries.nodes.length;
  const isPaused = isPaged || isLoading;
  // A refetch of the log would query the further pages again as well.
  useRepeat(isPaused ? askAlso : ask, isPaused ? LOOK_MS : lookMs(nodes));
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
      {isPaged && <Paused isLoading={isLoading} ask={ask} />}
      <Table label="Deliveries" rows={nodes} keyOf={({ id }) => id} columns={columns} />
      {error && <Problem error={error} />}
      <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
    </>
  );
}

type PausedProps = { readonly isLoading: boolean; readonly ask: Ask };

function Paused({ isLoading, ask }: PausedProps) {
  return (
    <Group px="lg" gap="sm" justify="space-between">
      <Text size="sm" c="dimmed" role="status">
        This list does not update by itself while it shows more than one page.
      </Text>
      <Button
        size="xs"
        variant="default"
        loading={isLoading}
        onClick={() => ask({ requestPolicy: 'network-only' })}
      >
        Refresh
      </Button>
    </Group>
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
            next attempt <When at={nextAttemptAt} isInSentence />
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
