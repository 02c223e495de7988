// Opens the console in a browser for a user, as every view test does first.

import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach, expect } from 'vitest';

export type Opening = {
  /** The address of the API, which serves the console. */
  readonly url: string;
  /** Undefined for a user who has not signed in. */
  readonly token?: string;
  /** The path below /console. */
  readonly path: string;
  readonly widthPx?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** Matches errors that a test causes on purpose, such as a refused token. */
  readonly mayFail?: RegExp;
  /** Called for each loaded body, with its transferred bytes. */
  readonly onLoaded?: (bytes: Promise<number>) => void;
  /** Matches addresses outside of the API to which the page may send requests. */
  readonly mayAsk?: RegExp;
};

export const PHONE_PX = 390;
export const WIDE_PX = 1440;
const HEIGHT_PX = 900;
/**
 * Long enough for a busy machine, but shorter than a test's timeout, so that a failure says what
 * was missing.
 */
const WAIT_MS = 120_000;

/** Opens pages, each in a new browser context. An error on any page fails the test. */
export function useConsole(browser: () => Browser): (opening: Opening) => Promise<Page> {
  const contexts: BrowserContext[] = [];
  const faults: string[] = [];
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map(context => context.close()));
    expect(faults.splice(0), 'what the page complained of').toEqual([]);
  });
  return async opening => {
    const { url, token, path, widthPx = WIDE_PX, colorScheme = 'light' } = opening;
    const context = await browser().newContext({
      baseURL: url,
      colorScheme,
      locale: 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      viewport: { width: widthPx, height: HEIGHT_PX },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    contexts.push(context);
    context.setDefaultTimeout(WAIT_MS);
    const page = await context.newPage();
    watch(page, opening, faults);
    await page.goto(`/console${path}${token === undefined ? '' : `#token=${token}`}`);
    return page;
  };
}

function watch(page: Page, { url, mayFail, mayAsk, onLoaded }: Opening, faults: string[]): void {
  page.on('pageerror', error => faults.push(String(error.stack ?? error)));
  page.on('console', message => {
    if (message.type() !== 'error' || mayFail?.test(message.text())) return;
    faults.push(message.text());
  });
  page.on('request', request => {
    if (request.url().startsWith(url) || mayAsk?.test(request.url())) return;
    faults.push(`asked another host: ${request.url()}`);
  });
  page.on('requestfinished', request =>
    onLoaded?.(
      request.sizes().then(
        ({ responseBodySize }) => responseBodySize,
        () => 0,
      ),
    ),
  );
}
