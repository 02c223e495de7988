// When a display is reported, to which path, and how often.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fetchIds, untilShown } from '../../harness/active.ts';
import { createCampaign } from '../../harness/campaign.ts';
import { eventually } from '../../harness/eventually.ts';
import { storedExposures, storedRows } from '../../harness/in-app.ts';
import { useSharedIngest } from '../../harness/ingest-process.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { queueWidget, widgetOutcomes } from '../../harness/widget.ts';
import { useShopPage } from './harness/in-app-scene.ts';

const ingest = useSharedIngest();
const open = useShopPage(ingest);

const USER = 'user-1';
const SALE = { title: 'Winter sale', action_url: '#sale' };

async function tenantWith(...campaigns: Parameters<typeof createCampaign>[1][]): Promise<Tenant> {
  const tenant = await createTenant();
  const ids = [];
  for (const campaign of campaigns) ids.push(await createCampaign(tenant.workspaceId, campaign));
  await eventually(async () => {
    const active = await fetchIds(ingest(), tenant, { userId: USER });
    expect(active.length).toBe(campaigns.length);
  });
  return tenant;
}

function dialog(page: Page, name: string) {
  return page.getByRole('dialog', { name });
}

/** The first answer to each report is lost on its way, although ingest has accepted the report. */
async function loseFirstAnswers(page: Page): Promise<void> {
  const lost = new Set<string>();
  await page.route(/\/(?:events|responses|ack)$/, async route => {
    const body = route.request().postData() ?? '';
    if (route.request().method() !== 'POST' || lost.has(body)) return route.continue();
    lost.add(body);
    await route.fetch();
    await route.abort();
  });
}

test('a report whose first response was lost is retried with the same key and counts once', async () => {
  const tenant = await tenantWith({ type: 'nps', content: { question: 'Happy?' } });
  const page = await open({ tenant, userId: USER, prepare: loseFirstAnswers });
  await page.getByRole('radio', { name: '9' }).check();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Thank you.').waitFor();
  const events = await storedRows('in_app_events', tenant.workspaceId, 2);
  expect(new Set(events.map(({ event_key }) => event_key)).size).toBe(1);
  await storedRows('in_app_responses', tenant.workspaceId, 1);
  const exposures = await storedExposures(tenant.workspaceId, 2);
  expect(exposures.map(({ user_id }) => user_id)).toEqual([USER, USER]);
});

test('feedback on a widget is acknowledged, and its journey receives only the first click or dismissal', async () => {
  const tenant = await createTenant();
  const widget = await queueWidget(tenant, {
    userId: USER,
    consentPurpose: 'service',
    content: SALE,
    variantId: 'calm',
  });
  await untilShown(ingest(), tenant, [widget.campaignId], { userId: USER });
  const page = await open({ tenant, userId: USER, prepare: loseFirstAnswers });
  await dialog(page, 'Winter sale').waitFor();
  await eventually(async () => {
    const [outcome] = await widgetOutcomes([widget]);
    expect(outcome!.state).toBe('VIEWED');
  });
  await page.getByRole('link', { name: 'Open' }).click();
  await dialog(page, 'Winter sale').waitFor({ state: 'detached' });
  await eventually(async () => {
    const [outcome] = await widgetOutcomes([widget]);
    expect(outcome).toMatchObject({
      state: 'CLICKED',
      acked_variant_id: 'calm',
      served_at: expect.any(Date),
      dismissed_at: null,
      signals: [{ outcome: 'CLICKED', variantId: 'calm' }],
      exposures: ['clicked', 'impression'],
    });
  });
  await storedRows('in_app_events', tenant.workspaceId, 3);
});

test('an answer to a widget is a response, and sets its state to clicked', async () => {
  const tenant = await createTenant();
  const content = { title: 'Quiz', options: ['Yes', 'No'] };
  const widget = await queueWidget(tenant, {
    userId: USER,
    consentPurpose: 'service',
    type: 'quiz',
    content,
  });
  await untilShown(ingest(), tenant, [widget.campaignId], { userId: USER });
  const page = await open({ tenant, userId: USER });
  await page.getByRole('radio', { name: 'Yes' }).check();
  await page.getByRole('button', { name: 'Send' }).click();
  const [response] = await storedRows('in_app_responses', tenant.workspaceId, 1);
  expect(response).toMatchObject({ campaign_id: widget.campaignId, response_type: 'quiz' });
  await eventually(async () => {
    const [outcome] = await widgetOutcomes([widget]);
    expect(outcome).toMatchObject({ state: 'CLICKED', acked_step_id: '1' });
  });
});

test('no impression is reported before the tab is visible', async () => {
  const tenant = await tenantWith({ type: 'banner', content: SALE, totalMax: 1 });
  const sent: string[] = [];
  const page = await open({
    tenant,
    userId: USER,
    prepare: async opened => {
      opened.on('request', request => sent.push(request.postData() ?? ''));
      await opened.addInitScript(
        `Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' })`,
      );
    },
  });
  await page.getByRole('link', { name: 'Open' }).waitFor();
  await page.evaluate(
    'new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
  );
  expect(sent.filter(body => body.includes('impression'))).toEqual([]);
  await page.evaluate(
    `delete document.visibilityState, document.dispatchEvent(new Event('visibilitychange'))`,
  );
  await storedRows('in_app_events', tenant.workspaceId, 1);
  // The impression is counted: the cap of one is used up.
  await untilShown(ingest(), tenant, [], { userId: USER });
});

test('one dialog is shown at a time, by priority; the next one appears after the next refresh', async () => {
  const tenant = await tenantWith(
    { type: 'modal', priority: 1, content: { title: 'Later' } },
    { type: 'fullscreen', priority: 2, content: { title: 'First' } },
    { type: 'banner', content: { title: 'Beside' } },
  );
  const page = await open({ tenant, userId: USER });
  await dialog(page, 'First').waitFor();
  await page.locator('section').filter({ hasText: 'Beside' }).waitFor();
  expect(await page.locator('dialog').count()).toBe(1);
  await page.keyboard.press('Escape');
  await dialog(page, 'First').waitFor({ state: 'detached' });
  await page.evaluate('test.inApp.refresh()');
  await dialog(page, 'Later').waitFor();
  expect(await page.locator('dialog').count()).toBe(1);
  expect(await page.locator('section').count()).toBe(1);
});

test('a campaign that an anonymous visitor closed does not reappear on the next page', async () => {
  const tenant = await tenantWith({ type: 'banner', content: SALE });
  const page = await open({ tenant });
  await page.getByRole('button', { name: 'Close' }).click();
  const [, dismissal] = await storedRows('in_app_events', tenant.workspaceId, 2);
  expect(dismissal).toMatchObject({ user_id: '', anonymous_id: 'browser-1' });
  await page.reload();
  const answered = page.waitForResponse(/in-app\/active/);
  const settings = { url: ingest().url, writeKey: tenant.writeKey };
  await page.evaluate(`test.start(${JSON.stringify(settings)})`);
  expect(await (await answered).json()).toHaveLength(1);
  await page.evaluate('test.inApp.refresh()');
  expect(await page.locator('section').count()).toBe(0);
});

test('a campaign that expires, or is for another person, is removed without a report', async () => {
  const tenant = await tenantWith({
    type: 'banner',
    content: { title: 'For Ada' },
    endsAt: new Date(Date.now() + 3_600_000),
  });
  const page = await open({ tenant, userId: USER, prepare: opened => opened.clock.install() });
  const banner = page.locator('section');
  await banner.waitFor();
  await page.evaluate(`test.host.setUser('user-2'), test.inApp.refresh()`);
  await storedRows('in_app_events', tenant.workspaceId, 2);
  await banner.waitFor();
  await page.clock.fastForward(3_600_000);
  await banner.waitFor({ state: 'detached' });
  const events = await storedRows('in_app_events', tenant.workspaceId, 2);
  expect(events.map(({ event_type }) => event_type)).toEqual(['impression', 'impression']);
});

test('without consent nothing is fetched or shown', async () => {
  const tenant = await tenantWith({ type: 'banner', content: SALE });
  const page = await open({ tenant, userId: USER });
  const banner = page.locator('section');
  await banner.waitFor();
  await page.evaluate(`localStorage.setItem('in-app.closed', '[["a",1]]')`);
  await page.evaluate('test.host.setConsent(false), test.inApp.refresh()');
  expect(await page.evaluate('localStorage.length')).toBe(0);
  await banner.waitFor({ state: 'detached' });
  await page.evaluate('test.host.setConsent(true), test.inApp.refresh()');
  await banner.waitFor();
  await page.evaluate('test.inApp.stop(), test.inApp.refresh()');
  expect(await banner.count()).toBe(0);
});

test('an app that renders a campaign itself sends the same reports, each once', async () => {
  const tenant = await tenantWith({ type: 'poll', content: { title: 'What next?' } });
  const page = await open({ tenant, userId: USER, rendersType: 'poll' });
  await page.getByText('The app says: What next?').waitFor({ state: 'attached' });
  expect(await page.locator('section').count()).toBe(0);
  await page.evaluate(
    `test.display.shown(), test.display.shown(), test.display.answered({ option: 'Tea' }), test.display.dismissed()`,
  );
  const events = await storedRows('in_app_events', tenant.workspaceId, 2);
  expect(events.map(({ event_type }) => event_type)).toEqual(['impression', 'clicked']);
  const [response] = await storedRows('in_app_responses', tenant.workspaceId, 1);
  expect(JSON.parse(String(response!.payload))).toEqual({ option: 'Tea' });
  await page.evaluate('test.inApp.stop()');
  expect(await page.evaluate('test.display.signal.aborted')).toBe(true);
});

test('an answer to a campaign without answers counts as a click and is reported to the developer', async () => {
  const tenant = await tenantWith({ type: 'modal', content: { title: 'Sale' } });
  const page = await open({ tenant, userId: USER, rendersType: 'modal' });
  await page.getByText('The app says: Sale').waitFor({ state: 'attached' });
  await page.evaluate('test.display.answered({ option: 1 })');
  await storedRows('in_app_events', tenant.workspaceId, 2);
  expect(await page.evaluate('test.errors.map(({ code }) => code)')).toEqual(['NO_ANSWERS']);
});
