import { Button, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyField } from '../../../pieces/CopyField.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { type CreatedOrder, OrderForm } from './OrderForm.tsx';

/** The form, then the IDs for the checkout. */
export function NewOrder() {
  const [isOpen, setIsOpen] = useState(false);
  const [created, setCreated] = useState<CreatedOrder>();
  if (!useMay('OWNER')) return null;
  const open = () => {
    setCreated(undefined);
    setIsOpen(true);
  };
  const close = () => setIsOpen(false);
  return (
    <>
      <Button leftSection={<IconPlus size={17} />} onClick={open}>
        Create order
      </Button>
      <Dialog
        opened={isOpen}
        onClose={close}
        size="lg"
        title={created === undefined ? 'Create order' : 'The order was created'}
      >
        {created === undefined ? (
          <OrderForm onCreated={setCreated} />
        ) : (
          <Created order={created} onDone={close} />
        )}
      </Dialog>
    </>
  );
}

type CreatedProps = { readonly order: CreatedOrder; readonly onDone: () => void };

function Created({ order: { orderId, paymentSessionId }, onDone }: CreatedProps) {
  return (
    <Stack>
      <Text size="sm">The payment session ID opens the gateway’s checkout for this order.</Text>
      <CopyField label="Order ID" value={orderId} />
      {paymentSessionId === null ? (
        <Text size="sm">The gateway has not sent the payment session ID yet.</Text>
      ) : (
        <CopyField label="Payment session ID" value={paymentSessionId} />
      )}
      <Button onClick={onDone}>Done</Button>
    </Stack>
  );
}
