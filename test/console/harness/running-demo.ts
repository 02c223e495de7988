// The demo of `npm start`, for scripts that use the console like its users.

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { openShop } from '../../../embedded/shop/open-shop.ts';
import { startChromium } from './start-chromium.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

export type RunningDemo = {
  readonly baseUrl: string;
  readonly gatewayUrl: string;
  readonly workspaceId: string;
  readonly propertyId: string;
  readonly writeKey: string;
  readonly accessToken: string;
  readonly adminToken: string;
  readonly agencyToken: string;
};

type Use = {
  readonly demo: RunningDemo;
  readonly browser: Browser;
  /** The browser's files are in it. */
  readonly directory: string;
};

type UseOptions = {
  readonly eventsPerSecond: number;
  /** Of the shop. */
  readonly onNote: (text: string) => void;
};

/** Opens the shop and a browser on the demo that is running in `DATA_DIR`, and closes both afterwards. */
export async function useRunningDemo(
  { eventsPerSecond, onNote }: UseOptions,
  use: (use: Use) => Promise<void>,
): Promise<void> {
  const demo = await readDemo();
  const directory = await mkdtemp(join(tmpdir(), 'console-demo-'));
  const closing = new AbortController();
  const shop = await openShop(
    { ...demo, accessToken: () => Promise.resolve(demo.accessToken) },
    { rate: eventsPerSecond, signal: closing.signal, onNote },
  );
  const browser = await startChromium(join(directory, 'chromium'));
  try {
    await use({ demo, browser, directory });
  } finally {
    closing.abort();
    await Promise.allSettled([shop.closed, browser.close()]);
    await rm(directory, { recursive: true, force: true });
  }
}

/** Rejects if none is running. */
async function readDemo(): Promise<RunningDemo> {
  const { stdout } = await promisify(execFile)('npm', ['run', '-s', 'demo'], { cwd: ROOT });
  return JSON.parse(stdout) as RunningDemo;
}
