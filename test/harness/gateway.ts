// The development gateway, run inside this process: real sockets, no money.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import type { GatewayOptions } from '../../embedded/gateway/server.ts';
import { type RunningGateway, startGateway } from '../../embedded/gateway/server.ts';

/** The platform's own account at the gateway. */
export const PLATFORM_CLIENT_ID = 'platform-of-a-test';
export const PLATFORM_CLIENT_SECRET = 'platform-client-secret-of-a-test';

export type TestGateway = RunningGateway & {
  /** Performs an action of a payer, a bank or the gateway's staff; it must succeed. */
  control(path: string, input?: Readonly<Record<string, unknown>>): Promise<Record<string, string>>;
  /** The bodies of calls whose method and path start with `on`, as received. */
  calls(on: string, holding?: string): Promise<readonly RecordedCall[]>;
  /** Adds a separate merchant account. */
  addAccount(): Promise<{ readonly clientId: string; readonly clientSecret: string }>;
  /** Environment variables for API processes that use this gateway. */
  readonly env: Readonly<Record<string, string>>;
};

export type RecordedCall = {
  readonly call: string;
  readonly clientId: string;
  readonly idempotencyKey: string | null;
  readonly body: string;
};

let current: TestGateway | undefined;

/** The gateway of the current test file, for code that has no other access to it. */
export function currentGateway(): TestGateway {
  if (current === undefined) throw new Error('no gateway runs; useGateway in the test file');
  return current;
}

/** One gateway for all tests of a file, without rate limits. */
export function useGateway(options: Partial<GatewayOptions> = {}): () => TestGateway {
  let gateway: TestGateway | undefined;
  beforeAll(async () => {
    gateway = await openGateway(options);
    current = gateway;
  });
  afterAll(async () => {
    await gateway?.stop();
  });
  return () => {
    if (gateway === undefined) throw new Error('the gateway starts in beforeAll');
    return gateway;
  };
}

export async function openGateway(options: Partial<GatewayOptions> = {}): Promise<TestGateway> {
  const running = await startGateway({
    port: 0,
    rateLimitFactor: 0,
    accounts: [{ clientId: PLATFORM_CLIENT_ID, clientSecret: PLATFORM_CLIENT_SECRET }],
    ...options,
  });
  const ask = async (path: string, input: Readonly<Record<string, unknown>> = {}) => {
    const response = await fetch(`${running.controlUrl}/${path}`, {
      method: 'POST',
      body: JSON.stringify(input),
    });
    const text = await response.text();
    expect(response.status, `${path}: ${text}`).toBe(200);
    return JSON.parse(text) as unknown;
  };
  return {
    ...running,
    control: async (path, input) => (await ask(path, input)) as Record<string, string>,
    calls: async (on, holding = '') => {
      const all = (await ask('requests')) as RecordedCall[];
      return all.filter(
        ({ call, body }) => call.startsWith(on) && `${call} ${body}`.includes(holding),
      );
    },
    addAccount: async () => {
      const account = { clientId: `app-${randomUUID()}`, clientSecret: `secret-${randomUUID()}` };
      await ask('accounts', account);
      return account;
    },
    env: {
      GATEWAY_BASE_URL: running.baseUrl,
      GATEWAY_CLIENT_ID: PLATFORM_CLIENT_ID,
      GATEWAY_CLIENT_SECRET: PLATFORM_CLIENT_SECRET,
      // The gateway allows more calls in production than in the sandbox, so the API's own limit is
      // higher too.
      GATEWAY_ENVIRONMENT: 'PRODUCTION',
    },
  };
}
