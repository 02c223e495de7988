import { Stack } from '@mantine/core';
import { IconWebhookOff } from '@tabler/icons-react';
import { useMemo, useRef } from 'react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { Figures } from '../../../pieces/Figures.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { Page } from '../../../pieces/Page.tsx';
import { useLastData } from '../../../pieces/use-last-data.ts';
import type { Ask } from '../../../pieces/use-repeat.ts';
import { useWaitingAgain } from '../../../pieces/use-waiting.ts';
import { When } from '../../../pieces/When.tsx';
import { Choices } from '../Choices.tsx';
import { Deliveries } from '../deliveries/Deliveries.tsx';
import { ENDPOINT, type Endpoint } from '../endpoint-query.ts';
import { nameOf } from '../endpoint-words.ts';
import { WEBHOOKS } from '../webhook-paths.ts';
import { EndpointActions } from './EndpointActions.tsx';
import { EndpointTrouble } from './EndpointTrouble.tsx';
import { WaitingDeliveries } from './WaitingDeliveries.tsx';

const BACK = { href: WEBHOOKS.endpoints, label: 'Webhooks' };

export default function EndpointPage({ id }: { readonly id: string }) {
  const asked = useQuery({ query: ENDPOINT, variables: { id }, context: COUNTING });
  const data = useLastData(asked[0]);
  const node = data?.node;
  const endpoint = node?.__typename === 'WebhookEndpoint' ? node : undefined;
  return (
    <Page
      title={endpoint === undefined ? 'Endpoint' : nameOf(endpoint)}
      about={endpoint && <span className="mono">{endpoint.url}</span>}
      back={BACK}
      actions={endpoint && <EndpointActions endpoint={endpoint} />}
    >
      <Asked asked={[{ ...asked[0], data }, asked[1]]} label="Loading the endpoint">
        {() =>
          endpoint === undefined ? <NoEndpoint /> : <Opened endpoint={endpoint} ask={asked[1]} />
        }
      </Asked>
    </Page>
  );
}

/** Its day’s counts change with its deliveries. */
const COUNTING = { additionalTypenames: ['WebhookDelivery'] };

function NoEndpoint() {
  return (
    <Card>
      <Empty title="Endpoint not found" icon={IconWebhookOff}>
        It may have been deleted. Its deliveries are still listed under Deliveries.
      </Empty>
    </Card>
  );
}

type OpenedProps = { readonly endpoint: Endpoint; readonly ask: Ask };

function Opened({ endpoint, ask }: OpenedProps) {
  const { id, lastDay } = endpoint;
  useWaitingAgain(String(endpoint.failingSince !== null));
  const fixed = useMemo(() => ({ endpointId: id }), [id]);
  const log = useRef<HTMLDivElement>(null);
  return (
    <Stack gap="lg">
      <EndpointTrouble endpoint={endpoint} />
      <Figures
        label="Last 24 hours"
        figures={[
          { label: 'Delivered', value: inCount(lastDay.delivered), hint: 'in 24 hours' },
          {
            label: 'Pending',
            value: inCount(lastDay.pending - lastDay.retrying),
            hint: 'no failed attempt',
          },
          { label: 'Retrying', value: inCount(lastDay.retrying), hint: 'after a failed attempt' },
          { label: 'Failed', value: inCount(lastDay.failed), hint: 'no further retry' },
          { label: 'Not sent', value: inCount(lastDay.cancelled), hint: 'while disabled' },
        ]}
      />
      <Card title="Details">
        <Facts facts={factsOf(endpoint)} />
      </Card>
      <WaitingDeliveries endpoint={endpoint} list={log} />
      <div ref={log}>
        <Deliveries fixed={fixed} isReplayable={endpoint.state === 'ENABLED'} askAlso={ask} />
      </div>
    </Stack>
  );
}

function factsOf(endpoint: Endpoint) {
  const { eventTypes, lastSuccessAt, secretSetAt, previousSecretUntil, createdAt } = endpoint;
  return [
    ['Events', <Choices key="choices" choices={eventTypes} />],
    ['Last success', <When key="last" at={lastSuccessAt} never="Never" isRelative />],
    [
      'Secret',
      <>
        set <When at={secretSetAt} />
      </>,
    ],
    [
      'Previous secret',
      previousSecretUntil !== null && (
        <>
          valid until <When at={previousSecretUntil} />
        </>
      ),
    ],
    ['Created', <When key="made" at={createdAt} />],
  ].filter(([, value]) => value !== false) as [string, React.ReactNode][];
}
