import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const PHONE_PX = 320;
const WIDE_PX = 1_280;
const HEIGHT_PX = 800;

/**
 * On a narrow phone and a wide screen, in light and dark: the message is inside of the window, does
 * not make it scroll sideways, and axe finds no violation of any severity, on the page or in it.
 */
export async function lookAtMessage(page: Page, name: string): Promise<void> {
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(axe.source);
  for (const scheme of ['light', 'dark']) {
    await page.evaluate(`document.documentElement.style.colorScheme = '${scheme}'`);
    for (const width of [PHONE_PX, WIDE_PX]) {
      const label = `${name}-${width}-${scheme}`;
      await page.setViewportSize({ width, height: HEIGHT_PX });
      const folder = process.env.IN_APP_PICTURES;
      if (folder !== undefined) await page.screenshot({ path: `${folder}/${label}.png` });
      expect(await page.evaluate(OUTSIDE), `${label}: outside of the window`).toEqual([]);
      expect(await violations(page), `${label}: axe`).toEqual([]);
    }
  }
}

const OUTSIDE = `[...document.querySelectorAll('[data-in-app]')]
  .flatMap(({ shadowRoot }) => [...shadowRoot.querySelectorAll('section, dialog, button, a, label, h2')])
  .map(one => ({ one, box: one.getBoundingClientRect() }))
  .filter(({ box }) => box.left < -1 || box.right > document.documentElement.clientWidth + 1)
  .map(({ one }) => one.outerHTML)`;

async function violations(page: Page): Promise<string[]> {
  const run = `axe.run(document, { resultTypes: ['violations'] })`;
  const { violations } = await page.evaluate<AxeResults>(run);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
  );
}
