import { Anchor, Button, Code, Stack } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { JsonText } from '../../../pieces/json/JsonText.tsx';
import { Page } from '../../../pieces/Page.tsx';
import { State } from '../../../pieces/State.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { useRepeat } from '../../../pieces/use-repeat.ts';
import { When } from '../../../pieces/When.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { DELIVERY_STATES, nameOf } from '../endpoint-words.ts';
import { WEBHOOKS } from '../webhook-paths.ts';
import { Attempts } from './Attempts.tsx';
import { DELIVERY, type Delivery, REPLAY_DELIVERIES } from './deliveries-query.ts';
import { soonMs } from './soon.ts';

export function DeliveryPage({ id }: { readonly id: string }) {
  const asked = useQuery({ query: DELIVERY, variables: { id } });
  const [{ data }, ask] = asked;
  const node = data?.node;
  const delivery = node?.__typename === 'WebhookDelivery' ? node : undefined;
  useRepeat(ask, soonMs(delivery === undefined ? [] : [delivery]));
  const endpoint = delivery?.endpoint;
  return (
    <Page
      title={delivery?.eventType ?? 'Delivery'}
      back={
        endpoint
          ? { href: WEBHOOKS.endpoint(endpoint.id), label: nameOf(endpoint) }
          : { href: WEBHOOKS.deliveries, label: 'Deliveries' }
      }
      actions={delivery && <ReplayButton delivery={delivery} />}
    >
      <Asked asked={asked} label="Loading the delivery">
        {() =>
          delivery === undefined ? (
            <Card>
              <Empty title="Delivery not found">Deliveries are kept for 30 days.</Empty>
            </Card>
          ) : (
            <Opened delivery={delivery} />
          )
        }
      </Asked>
    </Page>
  );
}

function Opened({ delivery }: { readonly delivery: Delivery }) {
  const { state, eventId, endpoint, isTest, createdAt, finishedAt, nextAttemptAt, body } = delivery;
  return (
    <Stack gap="lg">
      <Card>
        <Facts
          facts={[
            ['State', <State key="state" name={state} {...DELIVERY_STATES[state]} />],
            [
              'Endpoint',
              endpoint === null ? (
                'Deleted endpoint'
              ) : (
                <Anchor component={Link} href={WEBHOOKS.endpoint(endpoint.id)} inherit>
                  {endpoint.url}
                </Anchor>
              ),
            ],
            ['webhook-id', <Code key="id">{eventId}</Code>],
            ['Event time', <When key="at" at={createdAt} />],
            ['Finished', finishedAt && <When at={finishedAt} />],
            ['Next attempt', nextAttemptAt && <When at={nextAttemptAt} isRelative />],
            ['Trigger', isTest ? 'Test event' : undefined],
          ]}
        />
      </Card>
      <Attempts attempts={delivery.attempts} count={delivery.attemptCount} />
      <Card title="Payload">
        {body === null ? (
          <Empty title="Payload expired">Payloads are kept as long as their deliveries.</Empty>
        ) : (
          <JsonText text={body} label="Body" />
        )}
      </Card>
    </Stack>
  );
}

function ReplayButton({ delivery }: { readonly delivery: Delivery }) {
  const { id, isTest, state, endpoint } = delivery;
  const { run, isRunning } = useAction(REPLAY_DELIVERIES, { done: 'Queued for resend.' });
  const isOwner = useMay('OWNER');
  const isReplayable = !isTest && state !== 'PENDING' && endpoint?.state === 'ENABLED';
  if (!isOwner || !isReplayable) return null;
  return (
    <Button
      leftSection={<IconRefresh size={17} />}
      loading={isRunning}
      onClick={() => void run({ ids: [id] })}
    >
      Resend
    </Button>
  );
}
