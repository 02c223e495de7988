import { Text } from '@mantine/core';
import { CopyField } from '../../../pieces/CopyField.tsx';
import { NewThing } from '../NewThing.tsx';
import { type CreatedOrder, OrderForm } from './OrderForm.tsx';

/** The form, then the IDs for the checkout. */
export function NewOrder() {
  return (
    <NewThing<CreatedOrder> noun="order" form={onCreated => <OrderForm onCreated={onCreated} />}>
      {({ orderId, paymentSessionId }) => (
        <>
          <Text size="sm">The payment session ID opens the gateway’s checkout for this order.</Text>
          <CopyField label="Order ID" value={orderId} />
          {paymentSessionId === null ? (
            <Text size="sm">The gateway has not sent the payment session ID yet.</Text>
          ) : (
            <CopyField label="Payment session ID" value={paymentSessionId} />
          )}
        </>
      )}
    </NewThing>
  );
}
