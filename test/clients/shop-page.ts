import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';

export type ShopPage = {
  readonly page: Page;
  /** What scripts wrote to the console, and their errors. */
  readonly said: readonly string[];
  /** Requests to any other address than the page's own and the service's. */
  readonly foreign: readonly string[];
  readonly close: () => Promise<void>;
};

/** A page of another origin than the service, so that the browser asks before it sends. */
export async function openShopPage(browser: Browser, serviceUrl: string): Promise<ShopPage> {
  const site = createServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Shop</title>'),
  );
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const own = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const page = await browser.newPage();
  const said: string[] = [];
  const foreign: string[] = [];
  page.on('console', message => said.push(message.text()));
  page.on('pageerror', error => said.push(error.message));
  page.on('request', request => {
    if (![own, serviceUrl].includes(new URL(request.url()).origin)) foreign.push(request.url());
  });
  await page.goto(`${own}/shop?utm_source=test`);
  return {
    page,
    said,
    foreign,
    async close() {
      await page.close();
      site.closeAllConnections();
      site.close();
    },
  };
}
