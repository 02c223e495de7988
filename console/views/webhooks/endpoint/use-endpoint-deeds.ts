// The one-click actions on an endpoint, with a confirmation if they cannot be undone.

import { graphql } from '../../../graph/graphql.ts';
import { useAction } from '../../../pieces/use-action.tsx';

const ENABLE = graphql(`
  mutation WebhookEndpointEnable($id: ID!) {
    webhookEndpointEnable(id: $id) {
      webhookEndpoint { id state disabledReason version }
      userErrors { message field }
    }
  }
`);

const DISABLE = graphql(`
  mutation WebhookEndpointDisable($id: ID!) {
    webhookEndpointDisable(id: $id) {
      webhookEndpoint { id state disabledReason version }
      userErrors { message field }
    }
  }
`);

const DELETE = graphql(`
  mutation WebhookEndpointDelete($id: ID!) {
    webhookEndpointDelete(id: $id) { deletedId userErrors { message field } }
  }
`);

export function useEnable(id: string) {
  const { run, isRunning } = useAction(ENABLE, { done: 'The endpoint was enabled.' });
  return { enable: () => void run({ id }), isRunning };
}

export function useDisable(id: string) {
  const { run } = useAction(DISABLE, { done: 'The endpoint was disabled.' });
  return () => void run({ id });
}

/** Calls `onDeleted` after the deletion. */
export function useDelete(id: string, onDeleted: () => void) {
  const { run } = useAction(DELETE, {
    done: 'The endpoint was deleted.',
    changes: ['WebhookEndpoint'],
  });
  return () => void run({ id }).then(done => done && onDeleted());
}
