// A shop's page with the script tag, on its own origin.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { useChromium } from '../console/harness/chromium.ts';

export type Shop = {
  readonly context: BrowserContext;
  readonly url: string;
  /** A new tab, in which the script has loaded. */
  readonly open: () => Promise<Page>;
  /** A new tab, as early as a page can make calls. */
  readonly openEarly: () => Promise<Page>;
  /** What pages threw. */
  readonly thrown: readonly string[];
};

export type ShopOptions = {
  readonly host: string;
  readonly writeKey: string;
  /** Of the script tag, besides its address and key. */
  readonly attributes?: string;
  /** Runs before anything else in each page. */
  readonly before?: string;
};

/** Each shop has a profile of its own in the worker's browser. */
export function useShops(): (options: ShopOptions) => Promise<Shop> {
  const browser = useChromium(true);
  const contexts: BrowserContext[] = [];
  const servers: Server[] = [];
  afterAll(async () => {
    await Promise.all(contexts.map(context => context.close()));
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  return async options => {
    const shop = await openShop(browser(), options, servers);
    contexts.push(shop.context);
    return shop;
  };
}

async function openShop(browser: Browser, options: ShopOptions, servers: Server[]): Promise<Shop> {
  const { host, writeKey, attributes = '', before } = options;
  const html = `<!doctype html><title>Shop</title>
    <script>engagement = function () { (engagement.q = engagement.q || []).push(arguments) }</script>
    <script async src="${host}/sdk.js" data-write-key="${writeKey}" ${attributes}></script>`;
  const server = createServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end(html),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const context = await browser.newContext();
  if (before !== undefined) await context.addInitScript(before);
  servers.push(server);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/shop?utm_source=test`;
  const thrown: string[] = [];
  const openEarly = async () => {
    const page = await context.newPage();
    page.on('pageerror', error => thrown.push(String(error)));
    await page.goto(url);
    return page;
  };
  const open = async () => {
    const page = await openEarly();
    await untilReady(page);
    return page;
  };
  return { context, url, open, openEarly, thrown };
}

export async function untilReady(page: Page): Promise<void> {
  await page.evaluate(`new Promise(resolve => engagement('ready', () => resolve()))`);
}

/** How many events wait in the browser's storage. */
export function storedIn(page: Page, writeKey: string): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('engagement:${writeKey}');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const counting = opening.result.transaction('events').objectStore('events').count();
      counting.onsuccess = () => resolve(counting.result);
      opening.result.close();
    };
  })`);
}
