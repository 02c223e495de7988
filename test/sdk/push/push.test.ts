// Push messages in a browser: the subscription, the worker's reports, and the effects of a payload.

import type { Worker } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { useSharedIngest } from '../../harness/ingest-process.ts';
import { cardsOf, deliveriesOf } from '../../harness/push.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { type Shop, usePushShop, VAPID_KEY } from './harness/push-scene.ts';

const ingest = useSharedIngest();
const openShop = usePushShop(ingest);

const SALE = {
  title: 'Winter sale',
  body: '20 % off',
  url: '/sale',
  actions: [{ action: 'later', title: 'Later', url: 'https://shop.example/later' }],
  message_id: 'message-1',
  campaign_id: 'campaign-1',
};

type Notification = { readonly title: string; readonly options: Record<string, unknown> };

async function subscribed(
  settings: Readonly<Record<string, unknown>> = {},
): Promise<{ tenant: Tenant; shop: Shop; worker: Worker }> {
  const tenant = await createTenant();
  const shop = await openShop(tenant);
  await shop.start(settings);
  return { tenant, shop, worker: await shop.subscribe() };
}

function shownBy(worker: Worker, count: number): Promise<Notification[]> {
  return eventually(async () => {
    const shown = await worker.evaluate<Notification[]>('shown');
    expect(shown.length).toBe(count);
    return shown;
  });
}

function delivered(tenant: Tenant, expected: readonly object[]): Promise<void> {
  return eventually(async () =>
    expect(await deliveriesOf(tenant.workspaceId)).toMatchObject(expected),
  );
}

/** The kinds of all reports of a workspace, sorted, once there are as many. */
function reported(tenant: Tenant, kinds: readonly string[]): Promise<void> {
  return eventually(async () => {
    const cards = await cardsOf(tenant.workspaceId);
    expect(cards.map(({ kind }) => kind).sort((a, b) => a.localeCompare(b))).toEqual(kinds);
  });
}

test('a push is shown, and its delivery, display and click count once despite lost responses', async () => {
  const { tenant, shop, worker } = await subscribed();
  await reported(tenant, ['push.subscribed']);
  shop.weather = 'losing answers';
  await shop.deliver(SALE);
  const [notification] = await shownBy(worker, 1);
  expect(notification).toMatchObject({ title: 'Winter sale', options: { body: '20 % off' } });
  await shop.sync();
  await shop.sync();
  await worker.evaluate(`use('notificationclick', shown[0].options)`);
  await shop.sync();
  await reported(tenant, ['push.clicked', 'push.delivered', 'push.shown', 'push.subscribed']);
  expect(await worker.evaluate('opened')).toEqual([expect.stringMatching(/^http:.*\/sale$/)]);
  await delivered(tenant, [
    {
      status: 'clicked',
      platform: 'web',
      message_id: 'message-1',
      campaign_id: 'campaign-1',
      user_id: 'user-1',
      anonymous_id: 'browser-1',
    },
  ]);
});

test('imported into a worker of the site, it opens the URL of the clicked button and reports it', async () => {
  const { tenant, shop, worker } = await subscribed({ serviceWorkerUrl: '/own-worker.js' });
  await shop.deliver(SALE);
  await shownBy(worker, 1);
  await worker.evaluate(`use('notificationclick', shown[0].options, 'later')`);
  expect(await worker.evaluate('opened')).toEqual(['https://shop.example/later']);
  await eventually(async () => {
    const [delivery] = await deliveriesOf(tenant.workspaceId);
    expect(delivery?.status).toBe('clicked');
    expect(JSON.parse(delivery!.metadata)).toEqual({
      action_id: 'later',
      action_url: 'https://shop.example/later',
    });
  });
});

test('reports are stored while the service is unavailable, and the next page sends them', async () => {
  const { tenant, shop, worker } = await subscribed();
  await reported(tenant, ['push.subscribed']);
  shop.weather = 'away';
  await shop.deliver(SALE);
  await shownBy(worker, 1);
  await worker.evaluate(`use('notificationclose', shown[0].options)`);
  shop.weather = 'fair';
  await shop.page.reload();
  await shop.start();
  await reported(tenant, ['push.delivered', 'push.dismissed', 'push.shown', 'push.subscribed']);
});

test('a subscription is passed to the app once, again after a renewal, and its end is reported', async () => {
  const { tenant, shop } = await subscribed();
  const { page } = shop;
  expect(await page.evaluate('test.handedOver')).toMatchObject([
    { endpoint: expect.stringContaining('https://push.example/'), keys: { auth: 'a' } },
  ]);
  await page.evaluate('test.push.subscribe()');
  await page.evaluate('test.push.refresh()');
  expect(await page.evaluate('test.handedOver.length')).toBe(1);
  await page.reload();
  await page.evaluate(`sessionStorage.endpoint = 'https://push.example/renewed'`);
  await page.evaluate('test.failsHandover = true');
  await shop.start();
  await page.evaluate('test.push.refresh()');
  expect(await page.evaluate('test.errors[0].code')).toBe('HANDOVER_FAILED');
  await page.evaluate('test.failsHandover = false');
  await page.evaluate('test.push.refresh()');
  await page.evaluate('test.push.refresh()');
  expect(await page.evaluate('test.handedOver')).toMatchObject([
    { endpoint: 'https://push.example/renewed' },
  ]);
  await reported(tenant, ['push.resubscribed', 'push.subscribed']);
  await page.evaluate('test.push.unsubscribe()');
  expect(await page.evaluate('test.push.state()')).toBe('unsubscribed');
  expect(await page.evaluate('test.handedOver')).toHaveLength(2);
  expect(await page.evaluate('test.handedOver[1]')).toBe(null);
});

test('the worker renews a subscription that the browser has replaced, with the same key', async () => {
  const { worker } = await subscribed();
  await worker.evaluate(`PushManager.prototype.subscribe = async wish => { self.wish = wish; }`);
  await worker.evaluate(`use('pushsubscriptionchange')`);
  expect(await worker.evaluate('wish')).toEqual({
    userVisibleOnly: true,
    applicationServerKey: VAPID_KEY,
  });
});

test('permission is requested only by subscribe, and a denial is reported once', async () => {
  const tenant = await createTenant();
  const shop = await openShop(tenant);
  await shop.page.evaluate(`sessionStorage.answer = 'denied'`);
  await shop.start();
  await shop.page.evaluate('test.push.refresh()');
  expect(await shop.page.evaluate('Notification.permission')).toBe('default');
  expect(await shop.page.evaluate('navigator.serviceWorker.getRegistrations()')).toEqual([]);
  expect(await shop.page.evaluate('test.push.subscribe()')).toBe('denied');
  expect(await shop.page.evaluate('test.push.subscribe()')).toBe('denied');
  await reported(tenant, ['push.permission_denied']);
});

test('without consent messages are shown, but not reported', async () => {
  const { tenant, shop, worker } = await subscribed();
  await shop.page.evaluate('test.host.setConsent(false), test.push.refresh()');
  await shop.deliver({ ...SALE, message_id: 'unreported' });
  await shownBy(worker, 1);
  await worker.evaluate(`use('notificationclick', shown[0].options)`);
  await shop.page.evaluate('test.host.setConsent(true), test.push.refresh()');
  await shop.deliver({ ...SALE, message_id: 'reported' });
  await reported(tenant, ['push.delivered', 'push.shown', 'push.subscribed']);
  await delivered(tenant, [{ message_id: 'reported' }]);
});

test('the reports name the person of the message, even if another person has signed in', async () => {
  const { tenant, shop } = await subscribed();
  await shop.page.evaluate(`test.host.setUser('user-2'), test.push.refresh()`);
  await shop.deliver({ ...SALE, message_id: 'a', user_id: 'user-1' });
  await shop.deliver({ ...SALE, message_id: 'b' });
  await delivered(tenant, [{ user_id: 'user-1' }, { user_id: 'user-2' }]);
});

test('payloads of other vendors are ignored, and a payload can open only web addresses', async () => {
  const { tenant, shop, worker } = await subscribed();
  for (const payload of ['not JSON', 'null', '7', {}, { title: 7 }, { title: '' }])
    await shop.deliver(payload);
  await shop.deliver({
    title: '<b>Sale</b>',
    url: 'javascript:alert(1)',
    icon: 'data:image/svg+xml,<svg/>',
    image: 'http://elsewhere.example/tracker.png',
    actions: [null, { action: 'x', title: 'X', url: 'file:///etc/passwd' }, { action: 'y' }],
    dir: 'sideways',
    tag: 7,
  });
  const [notification] = await shownBy(worker, 1);
  const { data, ...options } = notification!.options;
  expect(options).toEqual({ actions: [{ action: 'x', title: 'X' }] });
  expect(data).toMatchObject({ engagement: { urls: {} } });
  await worker.evaluate(`use('notificationclick', shown[0].options, 'x')`);
  await worker.evaluate(`use('notificationclick', { data: { vendor: 'other' } })`);
  expect(await worker.evaluate('opened')).toEqual([]);
  expect(await worker.evaluate('focused.length')).toBe(1);
  // A message without an ID gets one, so its reports are one delivery.
  await reported(tenant, ['push.clicked', 'push.delivered', 'push.shown', 'push.subscribed']);
  await delivered(tenant, [{ status: 'clicked' }]);
});
