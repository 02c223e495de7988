import { Anchor, Code, Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { JsonText } from '../../../pieces/json/JsonText.tsx';
import { Page } from '../../../pieces/Page.tsx';
import { State } from '../../../pieces/State.tsx';
import { useRepeat } from '../../../pieces/use-repeat.ts';
import { useWaitingAgain } from '../../../pieces/use-waiting.ts';
import { When } from '../../../pieces/When.tsx';
import { DELIVERY_STATES, nameOf, shownStateOf } from '../endpoint-words.ts';
import { WEBHOOKS } from '../webhook-paths.ts';
import { Attempts } from './Attempts.tsx';
import { DELIVERY, type Delivery } from './deliveries-query.ts';
import { inSentence } from './in-sentence.ts';
import { ResendButton } from './ResendButton.tsx';
import { lookMs } from './soon.ts';

export default function DeliveryPage({ id }: { readonly id: string }) {
  const asked = useQuery({ query: DELIVERY, variables: { id } });
  const [{ data }, ask] = asked;
  const node = data?.node;
  const delivery = node?.__typename === 'WebhookDelivery' ? node : undefined;
  useRepeat(ask, delivery?.state === 'PENDING' ? lookMs([delivery]) : undefined);
  const endpoint = delivery?.endpoint;
  useWaitingAgain(endpoint ? String(endpoint.failingSince !== null) : undefined);
  return (
    <Page
      title={delivery?.eventType ?? 'Delivery'}
      back={
        endpoint
          ? { href: WEBHOOKS.endpoint(endpoint.id), label: nameOf(endpoint) }
          : { href: WEBHOOKS.deliveries, label: 'Deliveries' }
      }
      actions={delivery && <ResendButton delivery={delivery} />}
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
  const { eventId, endpoint, isTest, createdAt, finishedAt, nextAttemptAt, body } = delivery;
  const state = shownStateOf(delivery);
  const [last] = delivery.attempts;
  return (
    <Stack gap="lg">
      <Card>
        <Facts
          facts={[
            ['State', <State key="state" name={state} {...DELIVERY_STATES[state]} />],
            ['Last response', last && inSentence(last)],
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
            ['Trigger', isTest ? 'Test event, which is sent only once' : undefined],
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
