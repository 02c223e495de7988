// One client per session, so that another user or workspace never sees cached data of the previous
// one.

import { Client, cacheExchange, fetchExchange } from 'urql';

const GRAPHQL = '/graphql';

/** Of one request. */
type Credentials = { readonly token: string; readonly workspaceId?: string };

export function createClient(current: () => Promise<Credentials>, url = GRAPHQL): Client {
  return new Client({
    url,
    preferGetMethod: false,
    exchanges: [cacheExchange, fetchExchange],
    // Subscriptions use server-sent events, read by the fetch exchange.
    fetchSubscriptions: true,
    requestPolicy: 'cache-and-network',
    fetch: fetchAs(current),
  });
}

/** Reads the session for each request, since its token is renewed while the page is open. */
export function fetchAs(current: () => Promise<Credentials>): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headersOf(await current())))
      headers.set(name, value);
    return fetch(input, { ...init, headers });
  };
}

export function headersOf({ token, workspaceId }: Credentials): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    ...(workspaceId !== undefined && { 'x-workspace-id': workspaceId }),
  };
}
