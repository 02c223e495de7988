import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';
import { startChromium } from './start-chromium.ts';

/** One browser for all tests of a file. `checksOrigins`: for pages that talk to another origin. */
export function useChromium(checksOrigins = false): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await startChromium(join(inject('runDirectory'), 'chromium'), checksOrigins);
  });
  afterAll(() => browser?.close());
  return () => {
    if (browser === undefined)
      throw new Error('Chromium starts in beforeAll; use it in tests only');
    return browser;
  };
}
