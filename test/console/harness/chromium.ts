import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';
import { startChromium } from './start-chromium.ts';

/** One browser for all tests of a file. */
export function useChromium(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await startChromium(join(inject('runDirectory'), 'chromium'));
  });
  afterAll(() => browser?.close());
  return () => {
    if (browser === undefined)
      throw new Error('Chromium starts in beforeAll; use it in tests only');
    return browser;
  };
}
