// A ClientHost over plain fetch, for pages of tests: reports are sent one after the other, and repeated
// with the same body until the service has accepted them.

import type { ClientHost, Identity } from '../../../../sdk/core/client-host.ts';

export type HostSettings = {
  readonly url: string;
  readonly writeKey: string;
  readonly propertyId?: string;
  readonly userId?: string;
  readonly anonymousId?: string;
};

const RETRY_MS = 50;

export type FetchHost = ClientHost & {
  setUser(userId: string | undefined): void;
  setConsent(consent: boolean): void;
};

export function createFetchHost(settings: HostSettings): FetchHost {
  const { url, writeKey, anonymousId = 'browser-1' } = settings;
  let { userId } = settings;
  let consent = true;
  let queue = Promise.resolve();
  const identity = (): Identity => ({
    anonymousId,
    sessionId: 'session-1',
    ...(userId !== undefined && { userId }),
  });
  return {
    identity,
    hasConsent: () => consent,
    setConsent: value => {
      consent = value;
    },
    setUser: value => {
      userId = value;
    },
    async fetchJson(path) {
      const headers = { 'x-service-write-key': writeKey, ...(userId && { 'x-user-id': userId }) };
      const response = await fetch(`${url}${path}`, { headers });
      if (!response.ok) throw new Error(`${path} returned ${response.status}`);
      return response.json();
    },
    report(path, body) {
      if (!consent) return;
      const request = {
        method: 'POST',
        headers: { 'x-service-write-key': writeKey, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      };
      queue = queue.then(() => sendUntilTaken(`${url}${path}`, request));
    },
  };
}

async function sendUntilTaken(address: string, request: RequestInit): Promise<void> {
  for (;;) {
    const response = await fetch(address, request).catch(() => undefined);
    if (response?.ok) return;
    if (response !== undefined && response.status < 500)
      throw new Error(`${address}: ${await response.text()}`);
    await new Promise(resolve => setTimeout(resolve, RETRY_MS));
  }
}
