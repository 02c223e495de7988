// One client per session, so that another token or workspace never sees cached data of the previous
// one.

import { Client, cacheExchange, fetchExchange } from 'urql';
import type { Session } from '../session/session.ts';

const GRAPHQL = '/graphql';

export function createClient(session: Session, url = GRAPHQL): Client {
  return new Client({
    url,
    preferGetMethod: false,
    exchanges: [cacheExchange, fetchExchange],
    // Subscriptions use server-sent events, read by the fetch exchange.
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
