// A page of a shop with the in-app part of the client, in a browser that checks origins and a strict
// content security policy, against the run's ingest.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { useChromium } from '../../../console/harness/chromium.ts';
import type { Ingest } from '../../../harness/ingest-process.ts';
import type { Tenant } from '../../../harness/tenant.ts';
import { bundle } from './bundle.ts';
import type { PageSettings } from './in-app-page.ts';

export type Opening = Partial<PageSettings> & {
  readonly tenant: Tenant;
  readonly direction?: 'ltr' | 'rtl';
  /** Called before the page sends anything. */
  readonly prepare?: (page: Page) => Promise<void>;
};

const WAIT_MS = 30_000;
/** Rules of the page that would hide or distort everything that is not in a shadow root. */
const PAGE_CSS = 'section, dialog, h2, p, label, input, .button { display: none !important }';

export function useShopPage(ingest: () => Ingest): (opening: Opening) => Promise<Page> {
  const browser = useChromium(true);
  let server: Server | undefined;
  const contexts: BrowserContext[] = [];
  const faults: string[] = [];
  beforeAll(async () => {
    const script = await bundle(join(import.meta.dirname, 'in-app-page.ts'));
    server = serveShop(script, () => ingest().url);
    await once(server, 'listening');
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map(context => context.close()));
    expect(faults.splice(0), 'what the page complained of').toEqual([]);
  });
  afterAll(() => void server?.close());
  return async ({ tenant, direction = 'ltr', prepare, ...settings }) => {
    const context = await browser().newContext({ reducedMotion: 'reduce', locale: 'en-GB' });
    contexts.push(context);
    context.setDefaultTimeout(WAIT_MS);
    const page = await context.newPage();
    page.on('pageerror', error => faults.push(String(error.stack ?? error)));
    await prepare?.(page);
    const { port } = server!.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/?dir=${direction}`);
    await startOn(page, { url: ingest().url, writeKey: tenant.writeKey, ...settings });
    return page;
  };
}

/** As the app does when it loads. */
export async function startOn(page: Page, settings: PageSettings): Promise<void> {
  await page.evaluate(`test.start(${JSON.stringify(settings)})`);
}

function serveShop(script: string, ingestUrl: () => string): Server {
  return createServer(({ url = '' }, response) => {
    if (url === '/client.js') {
      response.setHeader('content-type', 'text/javascript');
      response.end(script);
    } else if (url === '/page.css') {
      response.setHeader('content-type', 'text/css');
      response.end(PAGE_CSS);
    } else {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.setHeader('content-security-policy', policyOf(ingestUrl()));
      response.end(pageIn(url.includes('rtl') ? 'rtl' : 'ltr'));
    }
  }).listen(0, '127.0.0.1');
}

/** Nothing is allowed for the client's styles, markup or forms. */
function policyOf(ingestUrl: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src https:',
    `connect-src ${ingestUrl}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

function pageIn(direction: 'ltr' | 'rtl'): string {
  return `<!doctype html><html lang="en" dir="${direction}"><head><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/page.css">
<link rel="icon" href="https://shop.example/none"><script src="/client.js"></script></head>
<body><main><h1>Shop</h1><button id="cart">Cart</button></main></body></html>`;
}
