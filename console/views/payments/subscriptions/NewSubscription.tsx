import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { CopyField } from '../../../pieces/CopyField.tsx';
import { NewThing } from '../NewThing.tsx';
import { PAYMENTS } from '../payment-paths.ts';
import { type CreatedSubscription, SubscriptionForm } from './SubscriptionForm.tsx';

/** The form, then the URL for the customer. */
export function NewSubscription() {
  return (
    <NewThing<CreatedSubscription>
      noun="subscription"
      form={onCreated => <SubscriptionForm onCreated={onCreated} />}
    >
      {({ id, subscriptionId, mandateAuthorizationUrl }) => (
        <>
          <Text size="sm">
            Send the customer the authorization URL. The subscription is active once the customer
            has authorized the mandate there.
          </Text>
          {mandateAuthorizationUrl === null ? (
            <Text size="sm">
              The gateway has not sent the URL yet.{' '}
              <Anchor component={Link} href={PAYMENTS.subscription(id)} inherit>
                The page of the subscription
              </Anchor>{' '}
              shows it as soon as it is known.
            </Text>
          ) : (
            <CopyField label="Authorization URL" value={mandateAuthorizationUrl} />
          )}
          <CopyField label="Subscription ID" value={subscriptionId} />
        </>
      )}
    </NewThing>
  );
}
