// A page of a shop with the push part of the client and its worker. The shop forwards requests
// to ingest, so that a test can drop some of the responses.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { BrowserContext, CDPSession, Page, Worker } from 'playwright-core';
import { afterEach, beforeAll, expect } from 'vitest';
import { useChromium } from '../../../console/harness/chromium.ts';
import { untilShown } from '../../../harness/active.ts';
import type { Ingest } from '../../../harness/ingest-process.ts';
import type { Tenant } from '../../../harness/tenant.ts';
import { bundle } from '../../in-app/harness/bundle.ts';
import { IN_PAGE, IN_WORKER } from './browser-stand-ins.ts';

/** What happens to reports: ingest's answer to each body is lost once, or the service is away. */
export type Weather = 'fair' | 'losing answers' | 'away';

/** The base64url form of 65 bytes, as public keys have. */
export const VAPID_KEY = Buffer.alloc(65, 7).toString('base64url');

const WAIT_MS = 30_000;
const SDK = join(import.meta.dirname, '..', '..', '..', '..', 'sdk');

export type Shop = {
  weather: Weather;
  readonly page: Page;
  /** As the app does when it loads. */
  start(settings?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Subscribes, and returns the worker. */
  subscribe(): Promise<Worker>;
  deliver(payload: unknown): Promise<void>;
  /** The browser's connection is back. */
  sync(): Promise<void>;
};

export function usePushShop(ingest: () => Ingest): (tenant: Tenant) => Promise<Shop> {
  const browser = useChromium(true);
  let scripts: Scripts | undefined;
  const servers: Server[] = [];
  const contexts: BrowserContext[] = [];
  const faults: string[] = [];
  beforeAll(async () => {
    const [page, worker] = await Promise.all([
      bundle(join(import.meta.dirname, 'push-page.ts')),
      bundle(join(SDK, 'push', 'service-worker.ts')),
    ]);
    scripts = { page, worker };
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map(context => context.close()));
    for (const server of servers.splice(0)) server.close();
    expect(faults.splice(0), 'what the page complained of').toEqual([]);
  });
  return async tenant => {
    // A new key is known to ingest a moment after it was made.
    await untilShown(ingest(), tenant, []);
    const context = await browser().newContext();
    contexts.push(context);
    context.setDefaultTimeout(WAIT_MS);
    const page = await context.newPage();
    await page.addInitScript(IN_PAGE);
    page.on('pageerror', error => faults.push(String(error.stack ?? error)));
    let weather: Weather = 'fair';
    const server = serveShop(scripts!, ingest().url, () => weather);
    servers.push(server);
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await page.goto(origin);
    const { writeKey, propertyId } = tenant;
    const known = {
      url: origin,
      host: `${origin}/`,
      writeKey,
      propertyId,
      userId: 'user-1',
      vapidPublicKey: VAPID_KEY,
    };
    const toWorker = await browserSession(context, page, origin);
    return {
      page,
      get weather() {
        return weather;
      },
      set weather(value) {
        weather = value;
      },
      start: settings => page.evaluate(`test.start(${JSON.stringify({ ...known, ...settings })})`),
      async subscribe() {
        expect(await page.evaluate('test.push.subscribe()')).toBe('subscribed');
        const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
        await worker.evaluate(IN_WORKER);
        return worker;
      },
      deliver: payload =>
        toWorker('ServiceWorker.deliverPushMessage', {
          data: typeof payload === 'string' ? payload : JSON.stringify(payload),
        }),
      sync: () =>
        toWorker('ServiceWorker.dispatchSyncEvent', {
          tag: 'engagement-push-reports',
          lastChance: false,
        }),
    };
  };
}

type Scripts = { readonly page: string; readonly worker: string };

/** Sends events to the page's worker, as the browser itself would. */
async function browserSession(context: BrowserContext, page: Page, origin: string) {
  const session: CDPSession = await context.newCDPSession(page);
  const ids = new Set<string>();
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    for (const { registrationId } of registrations) ids.add(registrationId);
  });
  await session.send('ServiceWorker.enable');
  return async (
    method: 'ServiceWorker.deliverPushMessage' | 'ServiceWorker.dispatchSyncEvent',
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<void> => {
    const [registrationId = ''] = ids;
    await session.send(method, { origin, registrationId, ...parameters } as never);
  };
}

function serveShop(scripts: Scripts, ingestUrl: string, weather: () => Weather): Server {
  const lost = new Set<string>();
  return createServer((request, response) => {
    if (request.method === 'POST') {
      passOn(request, response, { ingestUrl, weather, lost }).catch(() => response.destroy());
      return;
    }
    const script = filesOf(scripts)[request.url ?? ''];
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript');
    response.end(script ?? PAGE);
  }).listen(0, '127.0.0.1');
}

function filesOf({ page, worker }: Scripts): Readonly<Record<string, string>> {
  return {
    '/client.js': page,
    '/push-service-worker.js': worker,
    '/own-worker.js': `importScripts('/push-service-worker.js')`,
  };
}

type Way = {
  readonly ingestUrl: string;
  readonly weather: () => Weather;
  readonly lost: Set<string>;
};

async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  { ingestUrl, weather, lost }: Way,
): Promise<void> {
  const body = await buffer(request);
  if (weather() === 'away') {
    response.writeHead(503).end();
    return;
  }
  const headers = {
    'content-type': 'application/json',
    'x-service-write-key': String(request.headers['x-service-write-key']),
  };
  const answer = await fetch(`${ingestUrl}${request.url}`, { method: 'POST', headers, body });
  const isLost = weather() === 'losing answers' && !lost.has(String(body));
  lost.add(String(body));
  if (isLost) response.destroy();
  else response.writeHead(answer.status).end(await answer.text());
}

const PAGE = `<!doctype html><html lang="en"><head><title>Shop</title><script src="/client.js"></script></head>
<body><main><h1>Shop</h1></main></body></html>`;
