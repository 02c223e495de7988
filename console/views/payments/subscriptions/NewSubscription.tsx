import { Anchor, Button, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { CopyField } from '../../../pieces/CopyField.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { PAYMENTS } from '../payment-paths.ts';
import { type CreatedSubscription, SubscriptionForm } from './SubscriptionForm.tsx';

/** The form, then the URL for the customer. */
export function NewSubscription() {
  const [isOpen, setIsOpen] = useState(false);
  const [created, setCreated] = useState<CreatedSubscription>();
  if (!useMay('OWNER')) return null;
  const open = () => {
    setCreated(undefined);
    setIsOpen(true);
  };
  const close = () => setIsOpen(false);
  return (
    <>
      <Button leftSection={<IconPlus size={17} />} onClick={open}>
        Create subscription
      </Button>
      <Dialog
        opened={isOpen}
        onClose={close}
        size="lg"
        title={created === undefined ? 'Create subscription' : 'The subscription was created'}
      >
        {created === undefined ? (
          <SubscriptionForm onCreated={setCreated} />
        ) : (
          <Created subscription={created} onDone={close} />
        )}
      </Dialog>
    </>
  );
}

type CreatedProps = { readonly subscription: CreatedSubscription; readonly onDone: () => void };

function Created({ subscription, onDone }: CreatedProps) {
  const { id, subscriptionId, mandateAuthorizationUrl } = subscription;
  return (
    <Stack>
      <Text size="sm">
        Send the customer the authorization URL. The subscription is active once the customer has
        authorized the mandate there.
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
      <Button onClick={onDone}>Done</Button>
    </Stack>
  );
}
