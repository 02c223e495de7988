// The client in a page, in a real browser against a real service.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { sql } from '../harness/tenant.ts';
import type { EventRow } from '../harness/warehouse.ts';
import { events, useNewShops } from './new-shops.ts';
import { storedIn } from './shop.ts';

const newShop = useNewShops();

const flush = (page: Page) => page.evaluate(`engagement('flush')`);

test.concurrent('every kind of event has the fields required by the contract', async () => {
  const { open, workspaceId } = await newShop();
  const page = await open();
  await page.evaluate(`{
    const next = () => new Promise(resolve => setTimeout(resolve, 2));
    (async () => {
      for (const call of [
        ['page', 'Catalog', { category: 'shoes' }],
        ['track', 'Clicked', { button: 'buy' }],
        ['identify', 'user-1', { plan: 'pro' }],
        ['group', 'company-1', { size: 10 }],
        ['screen', 'Cart'],
        ['alias', 'user-2'],
        ['reset'],
        ['track', 'Signed Out'],
      ]) { engagement(...call); await next(); }
      await engagement('flush');
    })();
  }`);
  const found = await events(workspaceId, 7);
  expect(found.map(({ type }) => type)).toEqual([
    'page',
    'track',
    'identify',
    'group',
    'screen',
    'alias',
    'track',
  ]);
  const [visit, click, identify, group, screen, alias, last] = found as [
    EventRow,
    EventRow,
    EventRow,
    EventRow,
    EventRow,
    EventRow,
    EventRow,
  ];
  expect(visit.name).toBe('Catalog');
  expect(JSON.parse(visit.properties)).toMatchObject({
    category: 'shoes',
    path: '/shop',
    title: 'Shop',
  });
  expect(JSON.parse(click.context)).toMatchObject({
    campaign: { source: 'test' },
    library: { name: 'engagement-client' },
    page: { path: '/shop' },
  });
  expect(found.map(({ user_id }) => user_id)).toEqual([
    '',
    '',
    'user-1',
    'user-1',
    'user-1',
    'user-2',
    '',
  ]);
  expect(JSON.parse(identify.traits)).toEqual({ plan: 'pro' });
  expect(JSON.parse(group.extra)).toMatchObject({ groupId: 'company-1' });
  expect(screen.name).toBe('Cart');
  expect(JSON.parse(alias.extra)).toMatchObject({ previousId: 'user-1' });
  expect(new Set(found.slice(0, 6).map(one => `${one.anonymous_id} ${one.session_id}`)).size).toBe(
    1,
  );
  expect(last.anonymous_id).not.toBe(visit.anonymous_id);
  expect(last.session_id).not.toBe(visit.session_id);
});

test.concurrent('events of a page’s last moment arrive without another page', async () => {
  const { open, workspaceId } = await newShop();
  const page = await open();
  await page.evaluate(`engagement('track', 'Left'); location.href = 'about:blank'`);
  expect((await events(workspaceId, 1))[0]!.event).toBe('Left');
});

test.concurrent('the tabs of a site share one visitor ID', async () => {
  const { open, workspaceId } = await newShop();
  const [first, second] = [await open(), await open()];
  await first.evaluate(`engagement('identify', 'user-1')`);
  await second.evaluate(`engagement('track', 'Clicked')`);
  await Promise.all([flush(first), flush(second)]);
  const found = await events(workspaceId, 2);
  expect(
    new Set(found.map(one => [one.anonymous_id, one.session_id, one.user_id].join())).size,
  ).toBe(1);
  expect(found[0]!.user_id).toBe('user-1');
});

test.concurrent('tabs that send at the same time send nothing twice', async () => {
  const { open, context, workspaceId, writeKey } = await newShop();
  const pages = [await open(), await open(), await open()];
  let sent = 0;
  context.on('request', request => {
    if (!request.url().endsWith('/v1/batch')) return;
    sent += (request.postDataJSON() as { batch: readonly unknown[] }).batch.length;
  });
  await Promise.all(
    pages.map(page =>
      page.evaluate(
        `for (let i = 0; i < 200; i++) engagement('track', 'Clicked'); engagement('flush')`,
      ),
    ),
  );
  await events(workspaceId, 600);
  expect([sent, await storedIn(pages[0]!, writeKey)]).toEqual([600, 0]);
});

test.concurrent('nothing is stored or sent before consent, and all events afterwards', async () => {
  const { open, workspaceId } = await newShop({ attributes: 'data-consent="required"' });
  const page = await open();
  const requests: string[] = [];
  page.on('request', request => requests.push(request.url()));
  await page.evaluate(`engagement('page'); engagement('identify', 'user-1')`);
  expect(await traces(page)).toEqual([0, []]);
  await page.reload();
  await page.evaluate(`engagement('track', 'Waited')`);
  await page.evaluate(`engagement('setConsent', true); engagement('flush')`);
  const [waited] = await events(workspaceId, 1);
  expect(waited!.event).toBe('Waited');
  expect(requests.filter(url => url.includes('/v1/batch'))).toHaveLength(1);
  // The answer is remembered.
  await page.reload();
  await page.evaluate(`engagement('track', 'Clicked'); engagement('flush')`);
  const found = await events(workspaceId, 2);
  expect(new Set(found.map(({ anonymous_id }) => anonymous_id)).size).toBe(1);
});

test.concurrent('a denial deletes stored and waiting events, and persists', async () => {
  const { open, context, workspaceId, writeKey } = await newShop();
  const page = await open();
  await context.setOffline(true);
  await page.evaluate(`engagement('track', 'Clicked')`);
  await eventually(async () => expect(await storedIn(page, writeKey)).toBe(1));
  await page.evaluate(`engagement('setConsent', false); engagement('track', 'Denied')`);
  await eventually(async () =>
    expect(await traces(page)).toEqual([0, [`engagement:${writeKey}:consent`]]),
  );
  await context.setOffline(false);
  await page.reload();
  await page.evaluate(`engagement('track', 'Denied')`);
  await page.evaluate(
    `engagement('setConsent', true); engagement('track', 'Granted'); engagement('flush')`,
  );
  expect((await events(workspaceId, 1))[0]!.event).toBe('Granted');
});

test.concurrent('a denial in one tab also applies to unsent events of other tabs', async () => {
  const { open, workspaceId } = await newShop();
  const [first, second] = [await open(), await open()];
  await first.evaluate(`engagement('track', 'Denied')`);
  await second.evaluate(`engagement('setConsent', false)`);
  await first.evaluate(`location.href = 'about:blank'`);
  await second.evaluate(
    `engagement('setConsent', true); engagement('track', 'Granted'); engagement('flush')`,
  );
  expect((await events(workspaceId, 1))[0]!.event).toBe('Granted');
});

const PARTS = [
  { method: 'inApp', has: 'refresh' },
  { method: 'push', has: 'subscribe' },
];

test.concurrent.for(PARTS)(
  '$method is loaded once, when it is first used, from an immutable URL',
  async ({ method, has }) => {
    const { open, tenant, thrown } = await newShop();
    const page = await open();
    const loaded: string[] = [];
    page.on('response', response => {
      if (/\/sdk\/[a-z]/.test(response.url())) loaded.push(response.headers()['cache-control']!);
    });
    const options = JSON.stringify({ propertyId: tenant.propertyId });
    const members = await page.evaluate<string[]>(`(async () => {
    const [first, second] = await Promise.all([1, 2].map(() => engagement('${method}', ${options})));
    return first === second ? Object.keys(first) : [];
  })()`);
    expect(members).toContain(has);
    expect(loaded).toEqual(['public, max-age=31536000, immutable']);
    expect(thrown).toEqual([]);
  },
);

test.concurrent('a device is registered and deactivated', async () => {
  const { open, workspaceId } = await newShop();
  const page = await open();
  const token = 'a'.repeat(64);
  await page.evaluate(`
    engagement('identify', 'user-1');
    engagement('registerDevice', { token: '${token}', platform: 'ios', appVersion: '1.2' });
    engagement('flush')`);
  const statusOf = async () => {
    const found = await sql('SELECT * FROM devices WHERE workspace_id = $1', [workspaceId]);
    return found.map(({ token, contact_id, status }) => [token, contact_id, status]);
  };
  await eventually(async () => expect(await statusOf()).toEqual([[token, 'user-1', 'ACTIVE']]));
  await page.evaluate(
    `engagement('deactivateDevice', { token: '${token}', platform: 'ios', reason: 'test' })`,
  );
  await eventually(async () => expect(await statusOf()).toEqual([[token, 'user-1', 'INACTIVE']]));
});

test.concurrent('an invalid call or a missing part does not stop the page or later calls', async () => {
  const { open, workspaceId, thrown } = await newShop();
  const page = await open();
  await page.evaluate(
    `engagement('trak', 'Typo'); engagement('track', 'Fine'); engagement('flush')`,
  );
  expect((await events(workspaceId, 1))[0]!.event).toBe('Fine');
  expect(thrown).toEqual([]);
});

/** What the site has stored in the browser: the number of databases, and the names of values. */
async function traces(page: Page): Promise<[number, string[]]> {
  return page.evaluate<[number, string[]]>(
    `indexedDB.databases().then(all => [all.length, Object.keys(localStorage).concat(document.cookie || [])])`,
  );
}
