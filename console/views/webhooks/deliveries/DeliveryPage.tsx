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
      <Asked asked={asked} label="Reading the delivery">
        {() =>
          delivery === undefined ? (
            <Card>
              <Empty title="There is no such delivery">They are kept for 30 days.</Empty>
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
              'To',
              endpoint === null ? (
                'an endpoint that was deleted'
              ) : (
                <Anchor component={Link} href={WEBHOOKS.endpoint(endpoint.id)} inherit>
                  {endpoint.url}
                </Anchor>
              ),
            ],
            ['webhook-id', <Code key="id">{eventId}</Code>],
            ['Happened', <When key="at" at={createdAt} />],
            ['Over', finishedAt && <When at={finishedAt} />],
            ['Next try', nextAttemptAt && <When at={nextAttemptAt} isRelative />],
            ['Why', isTest ? 'somebody tried the endpoint' : undefined],
          ]}
        />
      </Card>
      <Attempts attempts={delivery.attempts} count={delivery.attemptCount} />
      <Card title="What is posted">
        {body === null ? (
          <Empty title="It is forgotten">Events are kept as long as their deliveries.</Empty>
        ) : (
          <JsonText text={body} label="Body" />
        )}
      </Card>
    </Stack>
  );
}

function ReplayButton({ delivery }: { readonly delivery: Delivery }) {
  const { id, isTest, state, endpoint } = delivery;
  const { run, isRunning } = useAction(REPLAY_DELIVERIES, { done: 'It is on its way again.' });
  const isOwner = useMay('OWNER');
  const isReplayable = !isTest && state !== 'PENDING' && endpoint?.state === 'ENABLED';
  if (!isOwner || !isReplayable) return null;
  return (
    <Button
      leftSection={<IconRefresh size={17} />}
      loading={isRunning}
      onClick={() => void run({ ids: [id] })}
    >
      Send again
    </Button>
  );
}
