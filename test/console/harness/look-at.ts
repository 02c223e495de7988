// Checks that every view must pass, at any screen width and in both color schemes.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { PHONE_PX, WIDE_PX } from './console-page.ts';

const HEIGHT_PX = 900;
/** A phone, a tablet, two laptops and a wide screen. */
const WIDTHS_PX = [PHONE_PX, 768, 1024, 1200, WIDE_PX];
/** Of axe's four severities, all but the least. */
const FAULTS = new Set(['moderate', 'serious', 'critical']);
/** If CONSOLE_PICTURES names a folder, each check saves a screenshot there. */
const PICTURES = process.env.CONSOLE_PICTURES;

/**
 * Checks the current page at all widths: neither the page nor a table may scroll sideways. axe, which takes
 * longer, looks once at each color scheme: dark on a phone and light on a wide screen. Leaves the page wide
 * and light.
 */
export async function lookAt(page: Page, name: string): Promise<void> {
  // For two seconds, a tooltip outside of all landmarks says that a text was copied.
  await page.getByRole('tooltip', { name: 'Copied' }).waitFor({ state: 'detached' });
  await show(page, PHONE_PX, 'dark');
  if (PICTURES !== undefined) await takePicture(page, PICTURES, `${name}-${PHONE_PX}-dark`);
  expect(await faultsOf(page), `${name}-${PHONE_PX}-dark: axe`).toEqual([]);
  if (PICTURES !== undefined) {
    await show(page, WIDE_PX, 'dark');
    await takePicture(page, PICTURES, `${name}-${WIDE_PX}-dark`);
  }
  for (const width of WIDTHS_PX) {
    await show(page, width, 'light');
    const label = `${name}-${width}-light`;
    if (PICTURES !== undefined) await takePicture(page, PICTURES, label);
    expect(await overflowPx(page), `${label}: wider than the screen by`).toBeLessThanOrEqual(0);
    expect(await cutTables(page), `${label}: tables wider than the screen`).toEqual([]);
  }
  expect(await faultsOf(page), `${name}-${WIDE_PX}-light: axe`).toEqual([]);
}

async function show(page: Page, width: number, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT_PX });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await untilStill(page);
}

/**
 * Finishes animations before the check. Waits for two frames first, because only then have all of
 * them started.
 */
const REST = `new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() =>
  Promise.allSettled(document.getAnimations()
    .filter(one => one.effect?.getComputedTiming().iterations !== Infinity)
    .map(one => one.finished)))`;

async function untilStill(page: Page): Promise<void> {
  await page.evaluate(REST);
}

async function takePicture(page: Page, folder: string, label: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  // Otherwise elements with a fixed position would appear in the middle of the screenshot.
  await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({ path: join(folder, `${label}.png`), fullPage: true });
}

function overflowPx(page: Page): Promise<number> {
  return page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
}

/** Tables that scroll: users do not look for a button beyond the edge. */
function cutTables(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('.table-frame')]
       .filter(frame => frame.scrollWidth > frame.clientWidth)
       .map(frame => frame.getAttribute('aria-label') + ': ' + (frame.scrollWidth - frame.clientWidth) + ' px')`,
  );
}

/** Frames are excluded: the only ones are previews in which scripts are blocked. */
const RUN = `axe.run(document, ${JSON.stringify({ iframes: false, resultTypes: ['violations'] })})`;

async function faultsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(RUN);
  return violations
    .filter(({ impact }) => impact && FAULTS.has(impact))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
    );
}
