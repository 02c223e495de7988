import { Button, Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { CopyField } from '../../../pieces/CopyField.tsx';
import { confirm } from '../../../pieces/confirm.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import { Page } from '../../../pieces/Page.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { When } from '../../../pieces/When.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { inMethod } from '../in-method.ts';
import { PAYMENTS } from '../payment-paths.ts';
import { StateWithReason } from '../StateWithReason.tsx';
import { MANAGE, SUBSCRIPTION, type Subscription } from './subscriptions-query.ts';

const BACK = { href: PAYMENTS.subscriptions, label: 'Subscriptions' };

export default function SubscriptionPage({ id }: { readonly id: string }) {
  const asked = useQuery({ query: SUBSCRIPTION, variables: { id } });
  const node = asked[0].data?.node;
  const subscription = node?.__typename === 'GatewaySubscription' ? node : undefined;
  return (
    <Page
      title="Subscription"
      about={subscription && <span className="mono">{subscription.subscriptionId}</span>}
      back={BACK}
      actions={subscription && <Manage subscription={subscription} />}
    >
      <Asked asked={asked} label="Reading the subscription">
        {() =>
          subscription === undefined ? (
            <Card>
              <Empty title="There is no such subscription" />
            </Card>
          ) : (
            <Opened subscription={subscription} />
          )
        }
      </Asked>
    </Page>
  );
}

function Opened({ subscription }: { readonly subscription: Subscription }) {
  const { mandateAuthorizationUrl, authorizationStatus, method, methods } = subscription;
  const isAsked = authorizationStatus !== 'ACTIVE' && subscription.status.startsWith('INITIALI');
  return (
    <Stack gap="lg">
      {mandateAuthorizationUrl !== null && isAsked && (
        <Card>
          <CopyField label="Where the customer gives the mandate" value={mandateAuthorizationUrl} />
        </Card>
      )}
      <Card>
        <Facts
          facts={[
            ['State', <StateWithReason key="state" of={subscription} />],
            ['Mandate', authorizationStatus && inPlainWords(authorizationStatus)],
            ['Method', inMethod(method) ?? methods.map(inMethod).join(', ')],
            [
              'Proven by',
              subscription.authorizationAmount && <Money of={subscription.authorizationAmount} />,
            ],
            [
              'Plan',
              <span key="plan" className="mono">
                {subscription.planId}
              </span>,
            ],
            [
              'Charged first',
              subscription.firstChargeAt && <When at={subscription.firstChargeAt} />,
            ],
            ['Charged next', subscription.nextChargeAt && <When at={subscription.nextChargeAt} />],
            ['Until', subscription.expiresAt && <When at={subscription.expiresAt} />],
            ['Made', <When key="made" at={subscription.createdAt} />],
            ['Last change', <When key="change" at={subscription.updatedAt} isRelative />],
          ]}
        />
      </Card>
    </Stack>
  );
}

/** From which states each of them may follow, as the gateway takes it. */
const PAUSABLE = new Set(['ACTIVE']);
const ACTIVABLE = new Set(['PAUSED']);
const ENDED = new Set([
  'CANCELLED',
  'CUSTOMER_CANCELLED',
  'COMPLETED',
  'EXPIRED',
  'REFUSED',
  'CREATING',
]);

function Manage({ subscription: { id, status } }: { readonly subscription: Subscription }) {
  const { run, isRunning } = useAction(MANAGE, { done: 'It was done.' });
  const manage = (action: 'ACTIVATE' | 'CANCEL' | 'PAUSE') => () =>
    void run({ id, input: { action } });
  if (!useMay('OWNER')) return null;
  return (
    <>
      {PAUSABLE.has(status) && (
        <Button
          variant="default"
          loading={isRunning}
          onClick={() =>
            confirm({
              title: 'Pause the subscription',
              confirm: 'Pause it',
              children: 'The customer is charged nothing until it is activated.',
              onConfirm: manage('PAUSE'),
            })
          }
        >
          Pause
        </Button>
      )}
      {ACTIVABLE.has(status) && (
        <Button
          loading={isRunning}
          onClick={() =>
            confirm({
              title: 'Go on with the subscription',
              confirm: 'Activate it',
              children: 'The customer is charged again from its next day on.',
              onConfirm: manage('ACTIVATE'),
            })
          }
        >
          Activate
        </Button>
      )}
      {!ENDED.has(status) && (
        <Button
          variant="default"
          c="var(--mantine-color-error)"
          loading={isRunning}
          onClick={() =>
            confirm({
              title: 'Cancel the subscription',
              confirm: 'Cancel it for good',
              isDangerous: true,
              children: 'The customer is never charged by it again. This can’t be undone.',
              onConfirm: manage('CANCEL'),
            })
          }
        >
          Cancel
        </Button>
      )}
    </>
  );
}
