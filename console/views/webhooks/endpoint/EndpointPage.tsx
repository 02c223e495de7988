import { Stack } from '@mantine/core';
import { IconWebhookOff } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { Figures } from '../../../pieces/Figures.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { Page } from '../../../pieces/Page.tsx';
import { When } from '../../../pieces/When.tsx';
import { Deliveries } from '../deliveries/Deliveries.tsx';
import { nameOf } from '../endpoint-words.ts';
import { Choices } from '../endpoints/EndpointRow.tsx';
import { WEBHOOKS } from '../webhook-paths.ts';
import { EndpointActions } from './EndpointActions.tsx';
import { EndpointTrouble } from './EndpointTrouble.tsx';
import { ENDPOINT, type Endpoint } from './endpoint-query.ts';

const BACK = { href: WEBHOOKS.endpoints, label: 'Webhooks' };

export function EndpointPage({ id }: { readonly id: string }) {
  const asked = useQuery({ query: ENDPOINT, variables: { id }, context: COUNTING });
  const [{ data }] = asked;
  const node = data?.node;
  const endpoint = node?.__typename === 'WebhookEndpoint' ? node : undefined;
  return (
    <Page
      title={endpoint === undefined ? 'Endpoint' : nameOf(endpoint)}
      about={endpoint && <span className="mono">{endpoint.url}</span>}
      back={BACK}
      actions={endpoint && <EndpointActions endpoint={endpoint} />}
    >
      <Asked asked={asked} label="Reading the endpoint">
        {() => (endpoint === undefined ? <NoEndpoint /> : <Opened endpoint={endpoint} />)}
      </Asked>
    </Page>
  );
}

/** Its day’s counts change with its deliveries. */
const COUNTING = { additionalTypenames: ['WebhookDelivery'] };

function NoEndpoint() {
  return (
    <Card>
      <Empty title="There is no such endpoint" icon={IconWebhookOff}>
        It may have been deleted; what it was sent is still among the deliveries.
      </Empty>
    </Card>
  );
}

function Opened({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id, lastDay } = endpoint;
  const fixed = useMemo(() => ({ endpointId: id }), [id]);
  return (
    <Stack gap="lg">
      <EndpointTrouble endpoint={endpoint} />
      <Figures
        label="The last 24 hours"
        figures={[
          { label: 'Delivered', value: inCount(lastDay.delivered), hint: 'in 24 hours' },
          { label: 'Under way', value: inCount(lastDay.pending), hint: 'or tried again' },
          { label: 'Given up', value: inCount(lastDay.failed), hint: 'after three days' },
          { label: 'Not sent', value: inCount(lastDay.cancelled), hint: 'while disabled' },
        ]}
      />
      <Card title="About it">
        <Facts facts={factsOf(endpoint)} />
      </Card>
      <Deliveries fixed={fixed} isReplayable={endpoint.state === 'ENABLED'} />
    </Stack>
  );
}

function factsOf(endpoint: Endpoint) {
  const { eventTypes, lastSuccessAt, secretSetAt, previousSecretUntil, createdAt } = endpoint;
  return [
    ['Told of', <Choices key="choices" choices={eventTypes} />],
    ['Last taken', <When key="last" at={lastSuccessAt} never="Not yet" isRelative />],
    [
      'Secret',
      <>
        made <When at={secretSetAt} />
      </>,
    ],
    [
      'The one before',
      previousSecretUntil !== null && (
        <>
          signs too until <When at={previousSecretUntil} />
        </>
      ),
    ],
    ['Made', <When key="made" at={createdAt} />],
  ].filter(([, value]) => value !== false) as [string, React.ReactNode][];
}
