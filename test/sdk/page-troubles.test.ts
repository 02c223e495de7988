// The behavior of the client when the service, the browser or the page itself fails.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ClientProblem } from '../../sdk/core/problem.ts';
import { eventually } from '../harness/eventually.ts';
import { sql } from '../harness/tenant.ts';
import { type EventRow, rows } from '../harness/warehouse.ts';
import { withinOneWindow } from '../harness/within-one-window.ts';
import { events, useNewShops } from './new-shops.ts';
import { storedIn } from './shop.ts';

const newShop = useNewShops();

test.concurrent('rejected events are reported to the developer, with the reason', async () => {
  const { open, workspaceId } = await newShop();
  const page = await open();
  const problems = await listen(page);
  await page.evaluate(`
    engagement('track', 'Fine');
    engagement('track', '');
    engagement('track', 'Deep', { a: { b: { c: { d: { e: { f: 1 } } } } } });
    engagement('flush')`);
  expect(
    (await problems()).map(({ code, lost }) => [code, (lost as { event: string }[])[0]!.event]),
  ).toEqual([
    ['MISSING_FIELD', ''],
    ['NESTING_TOO_DEEP', 'Deep'],
  ]);
  expect((await events(workspaceId, 1))[0]!.event).toBe('Fine');
});

test.concurrent('an event that can never be sent is refused immediately and does not delay others', async () => {
  const { open, workspaceId } = await newShop();
  const page = await open();
  const problems = await listen(page);
  await page.evaluate(`{
    const circle = {}; circle.self = circle;
    engagement('track', 'Circle', circle);
    engagement('track', 'Huge', { text: Array(100).fill('x'.repeat(10_000)) });
    engagement('track', 'Fine');
    engagement('flush')
  }`);
  expect((await problems()).map(({ code }) => code)).toEqual([
    'NOT_SERIALIZABLE',
    'PAYLOAD_TOO_LARGE',
  ]);
  expect((await events(workspaceId, 1))[0]!.event).toBe('Fine');
});

test.concurrent('large events are divided into several requests', async () => {
  const { open, workspaceId } = await newShop();
  const page = await open();
  const statuses = statusesOf(page);
  await page.evaluate(`
    for (let i = 0; i < 30; i++) engagement('track', 'Large', { i, text: Array(5).fill('x'.repeat(10_000)) });
    engagement('flush')`);
  await events(workspaceId, 30);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(statuses.length).toBeGreaterThanOrEqual(3);
});

test.concurrent('after a 429, the remaining events are sent in smaller batches after Retry-After', () =>
  withinOneWindow(async () => {
    const { open, workspaceId } = await newShop({}, { minuteCap: 70 });
    const page = await open();
    const statuses = statusesOf(page);
    await page.evaluate(`for (let i = 0; i < 50; i++) engagement('track', 'First')`);
    await events(workspaceId, 50);
    await page.evaluate(`for (let i = 0; i < 50; i++) engagement('track', 'Second')`);
    await eventually(() => expect(statuses).toContain(429));
    const pace = await page.evaluate<{ untilMs: number; eventsMax: number }>(
      `JSON.parse(localStorage.getItem(Object.keys(localStorage).find(key => key.endsWith(':pace:events'))))`,
    );
    expect(pace.eventsMax).toBe(25);
    const refused = statuses.length;
    // Neither asking nor a reload is faster.
    await page.evaluate(`void engagement('flush')`);
    await page.reload();
    await page.evaluate(`void engagement('flush'); engagement('track', 'Third')`);
    await page.evaluate('new Promise(resolve => requestIdleCallback(resolve))');
    expect(statuses).toHaveLength(refused);
  }));

test.concurrent('an unknown key stops the client, and the reason is reported', async () => {
  const { open, writeKey, tenant, workspaceId } = await newShop();
  const page = await open();
  await sql('UPDATE sdk_keys SET write_key = $2 WHERE id = $1', [tenant.keyId, `${writeKey}x`]);
  const problems = await listen(page);
  await eventually(async () => {
    await page.evaluate(`engagement('track', 'Clicked'); engagement('flush')`);
    expect((await problems()).map(({ code }) => code)).toEqual(['INVALID_WRITE_KEY']);
  });
  // What waits is sent when the key is valid again, by the next page.
  await page.evaluate(`engagement('track', 'Last'); engagement('flush')`);
  await sql('UPDATE sdk_keys SET write_key = $2 WHERE id = $1', [tenant.keyId, writeKey]);
  await eventually(async () => {
    await page.reload();
    await page.evaluate(`engagement('flush')`);
    expect(await storedIn(page, writeKey)).toBe(0);
  });
  await eventually(async () => {
    const found = await rows<EventRow>(
      "SELECT * FROM events WHERE workspace_id = {workspaceId:UUID} AND event = 'Last'",
      { workspaceId },
    );
    expect(found).toHaveLength(1);
  });
});

test.concurrent('if the browser refuses access to its storage, events are sent from memory', async () => {
  const before = `for (const name of ['indexedDB', 'localStorage'])
    Object.defineProperty(window, name, { get() { throw new Error('refused') } })`;
  const { open, workspaceId, thrown } = await newShop({ before });
  const page = await open();
  const problems = await listen(page);
  await page.evaluate(
    `engagement('identify', 'user-1'); engagement('track', 'Clicked'); engagement('flush')`,
  );
  const found = await events(workspaceId, 2);
  expect(new Set(found.map(one => `${one.anonymous_id} ${one.user_id}`)).size).toBe(1);
  expect((await problems()).map(({ code }) => code)).toEqual(['STORAGE_UNAVAILABLE']);
  expect(thrown).toEqual([]);
});

test.concurrent('events that the browser had not stored when a tab closed are sent by the next page', async () => {
  const before = `if (location.hash === '#slow') indexedDB.open = () => ({})`;
  const { context, url, open, workspaceId } = await newShop({ before });
  const page = await open();
  await page.goto(`${url}#slow`);
  await page.reload();
  await context.setOffline(true);
  await page.evaluate(`engagement('track', 'Clicked')`);
  const closed = page.waitForEvent('close');
  await page.close({ runBeforeUnload: true });
  await closed;
  await context.setOffline(false);
  await open();
  expect((await events(workspaceId, 1))[0]!.event).toBe('Clicked');
});

test.concurrent('a browser whose storage never responds does not delay events for long', async () => {
  const { open, workspaceId } = await newShop({ before: 'indexedDB.open = () => ({})' });
  const page = await open();
  await page.evaluate(`engagement('track', 'Clicked')`);
  expect((await events(workspaceId, 1))[0]!.event).toBe('Clicked');
});

/** What the client has told the developer since it has loaded. */
async function listen(page: Page): Promise<() => Promise<ClientProblem[]>> {
  await page.evaluate(`problems = []; engagement('onProblem', problem => problems.push(problem))`);
  return () => page.evaluate<ClientProblem[]>('problems');
}

/** The statuses of batches, as they come. */
function statusesOf(page: Page): number[] {
  const statuses: number[] = [];
  page.on('response', response => {
    if (response.url().endsWith('/v1/batch')) statuses.push(response.status());
  });
  return statuses;
}
