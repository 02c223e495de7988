import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { beforeAll, inject } from 'vitest';
import { startChromium } from './start-chromium.ts';

/** The browsers of this worker, by whether they check origins. They end with the worker. */
const started = new Map<boolean, Promise<Browser>>();

/**
 * A browser that the test files of a worker share, as each start costs more than most tests. A file
 * closes its contexts. `checksOrigins`: for pages that talk to another origin.
 */
export function useChromium(checksOrigins = false): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await sharedChromium(checksOrigins);
  });
  return () => {
    if (browser === undefined)
      throw new Error('Chromium starts in beforeAll; use it in tests only');
    return browser;
  };
}

/** Starts the browser again if it crashed in an earlier file. */
async function sharedChromium(checksOrigins: boolean): Promise<Browser> {
  const known = await started.get(checksOrigins)?.catch(() => undefined);
  if (known?.isConnected()) return known;
  const starting = startChromium(join(inject('runDirectory'), 'chromium'), checksOrigins);
  started.set(checksOrigins, starting);
  return starting;
}
