// Checks that every view must pass, at any screen width and in both color schemes.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { PHONE_PX, WIDE_PX } from './console-page.ts';

const HEIGHT_PX = 900;
/** The two of axe's four severities that exclude users. */
const SERIOUS = new Set(['serious', 'critical']);
/** If CONSOLE_PICTURES names a folder, each check saves a screenshot there. */
const PICTURES = process.env.CONSOLE_PICTURES;

/**
 * Checks the current page at the width of a phone and of a wide screen, in light and dark. axe must
 * find nothing serious, and neither the page nor a table may scroll sideways. Leaves the page wide
 * and light.
 */
export async function lookAt(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    for (const width of [PHONE_PX, WIDE_PX]) {
      await page.setViewportSize({ width, height: HEIGHT_PX });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await untilStill(page);
      const label = `${name}-${width}-${colorScheme}`;
      if (PICTURES !== undefined) await takePicture(page, PICTURES, label);
      expect(await overflowPx(page), `${label}: wider than the screen by`).toBeLessThanOrEqual(0);
      expect(await cutTables(page), `${label}: tables wider than the screen`).toEqual([]);
      expect(await seriousFaults(page, colorScheme), `${label}: axe`).toEqual([]);
    }
  }
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

/**
 * Runs in the page itself. Frames are excluded: the only ones are previews in which scripts are
 * blocked. Text and structure are the same in both color schemes, so the second one is checked only
 * for colors.
 */
function axeRun(colorScheme: 'light' | 'dark'): string {
  const rules = colorScheme === 'light' ? {} : { runOnly: COLOR_RULES };
  const options = { iframes: false, resultTypes: ['violations'], ...rules };
  return `axe.run(document, ${JSON.stringify(options)})`;
}

const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

async function seriousFaults(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(axeRun(colorScheme));
  return violations
    .filter(({ impact }) => impact && SERIOUS.has(impact))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
    );
}
