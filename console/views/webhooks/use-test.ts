import { graphql } from '../../graph/graphql.ts';
import { useAction } from '../../pieces/use-action.tsx';

const TEST = graphql(`
  mutation WebhookEndpointTest($id: ID!) {
    webhookEndpointTest(id: $id) {
      webhookDelivery { id }
      userErrors { message field }
    }
  }
`);

/** Sends a test. Passes the ID of the delivery, whose page shows the result. */
export function useTest(endpointId: string, onSent: (deliveryId: string) => void) {
  const { run, isRunning } = useAction(TEST);
  const test = async () => {
    const deliveryId = (await run({ id: endpointId }))?.webhookEndpointTest?.webhookDelivery?.id;
    if (deliveryId !== undefined) onSent(deliveryId);
  };
  return { test: () => void test(), isRunning };
}
