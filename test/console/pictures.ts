// npm run pictures: takes the README's screenshots of the console from the running demo, in light
// and dark.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type RunningDemo, useRunningDemo } from './harness/running-demo.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PICTURES = join(ROOT, 'console', 'pictures');
const SIZES = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 800 } } as const;
const SCHEMES = ['light', 'dark'] as const;
const EVENTS_PER_SECOND = 7;
/** A funnel with fewer people is not meaningful. */
const PEOPLE_MIN = 12;
const LOOK_MS = 2_000;

type Shot = {
  readonly name: string;
  readonly path: string;
  readonly as: 'accessToken' | 'adminToken' | 'agencyToken';
  /** Prepares the page before the screenshot. */
  readonly prepare?: (page: Page) => Promise<void>;
  readonly size?: keyof typeof SIZES;
};

const SHOTS: readonly Shot[] = [
  { name: 'live', path: '/live', as: 'accessToken', prepare: untilEventsCame },
  {
    name: 'templates',
    path: '/templates',
    as: 'accessToken',
    prepare: page => page.getByRole('link', { name: 'Order on its way' }).click(),
  },
  { name: 'wallet', path: '/partner/wallet', as: 'accessToken' },
  { name: 'deals', path: '/partner/deals', as: 'agencyToken' },
  { name: 'payments', path: '/payments', as: 'accessToken' },
  {
    name: 'webhooks',
    path: '/webhooks',
    as: 'accessToken',
    prepare: page => page.getByRole('link', { name: 'Shop backend' }).first().click(),
  },
  { name: 'campaign', path: '/campaigns', as: 'accessToken', prepare: untilPeopleSawIt },
  { name: 'phone', path: '/live', as: 'accessToken', prepare: untilEventsCame, size: 'phone' },
];

async function main(): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  const options = { eventsPerSecond: EVENTS_PER_SECOND, onNote: complain };
  await useRunningDemo(options, async ({ demo, browser }) => {
    for (const shot of SHOTS) {
      for (const scheme of SCHEMES) await take(browser, demo, shot, scheme);
      process.stdout.write(`${shot.name}\n`);
    }
  });
}

async function take(
  browser: Browser,
  demo: RunningDemo,
  { name, path, as, prepare, size = 'wide' }: Shot,
  colorScheme: (typeof SCHEMES)[number],
): Promise<void> {
  const context = await browser.newContext({
    baseURL: demo.baseUrl,
    colorScheme,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    viewport: SIZES[size],
    deviceScaleFactor: size === 'phone' ? 2 : 1,
  });
  const page = await context.newPage();
  await page.goto(`/console${path}#token=${demo[as]}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('load');
  await prepare?.(page);
  // On a busy machine, a report can fail at first. The page repeats it.
  await page.getByRole('alert').first().waitFor({ state: 'detached' });
  await page
    .getByRole('status')
    .filter({ hasText: /\S/ })
    .first()
    .waitFor({ state: 'detached' })
    .catch(() => undefined);
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}.png`) });
  await context.close();
}

async function untilEventsCame(page: Page): Promise<void> {
  await page.getByText('Order Completed').nth(2).waitFor();
}

/**
 * Opens the campaign with two variants until it has enough people. The page only counts when it is
 * opened.
 */
async function untilPeopleSawIt(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Winter sale' }).click();
  const counts = page.getByRole('row', { name: /^(calm|loud) / }).getByRole('cell');
  for (;;) {
    await counts
      .first()
      .waitFor({ timeout: LOOK_MS })
      .catch(() => undefined);
    const [, calm, , , , , loud] = (await counts.allInnerTexts()).map(Number);
    if (Math.min(calm ?? 0, loud ?? 0) >= PEOPLE_MIN) break;
    await page.waitForTimeout(LOOK_MS);
    await page.reload();
  }
  await page.getByRole('figure').first().waitFor();
}

function complain(text: string): void {
  process.stderr.write(`pictures: ${text}\n`);
}

main().catch((error: unknown) => {
  complain(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
