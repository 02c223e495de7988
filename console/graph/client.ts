// One client per session: another token or workspace sees nothing that the one before it was shown.

import { Client, cacheExchange, fetchExchange } from 'urql';
import type { Session } from '../session/session.ts';

const GRAPHQL = '/graphql';

export function createClient(session: Session, url = GRAPHQL): Client {
  return new Client({
    url,
    preferGetMethod: false,
    exchanges: [cacheExchange, fetchExchange],
    // Subscriptions come as server-sent events, which the fetch exchange reads.
    fetchSubscriptions: true,
    requestPolicy: 'cache-and-network',
    fetchOptions: () => ({ headers: headersOf(session) }),
  });
}

export function headersOf({ token, workspaceId }: Session): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    ...(workspaceId !== undefined && { 'x-workspace-id': workspaceId }),
  };
}
