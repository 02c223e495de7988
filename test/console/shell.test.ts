import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useSharedApi } from '../graphql-api/harness/api-process.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { createSibling, createTenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { PHONE_PX, useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

/** What a phone on a slow connection can load in time, from the URL to the first view. */
const FIRST_LOAD_BYTES_MAX = 250_000;
const FURTHER_VIEW_BYTES_MAX = 60_000;

/** The API alone offers no demo tokens. */
const NO_DEMO = /404/;

const api = useSharedApi();
const browser = useChromium();
const open = useConsole(browser);

describe('signing in', () => {
  test('with a token, which stays in the tab and leaves the address', async () => {
    const { organizationId } = await createTenant();
    const token = await tokenFor(organizationId);
    const page = await open({ url: api().url, path: '/keys', mayFail: NO_DEMO });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await lookAt(page, 'sign-in');
    await page.getByLabel('Access token').first().fill(`Bearer ${token}`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'SDK keys' }).waitFor();
    expect(page.url()).toBe(`${api().url}/console/keys`);
    await expect.poll(() => focusedText(page)).toBe('SDK keys');
    await page.reload();
    await page.getByRole('heading', { name: 'SDK keys' }).waitFor();
    await page.getByRole('button', { name: 'Account and appearance' }).click();
    await page.getByText('owner').waitFor();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(page.url()).toBe(`${api().url}/console/`);
  });

  test('with what is no token is refused here; with a token of nobody, by the API', async () => {
    const page = await open({ url: api().url, path: '/', mayFail: /40[14]/ });
    await page.getByLabel('Access token').first().fill('not a token');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('That doesn’t look like an access token').waitFor();
    await page.getByLabel('Access token').first().fill('eyJ.eyJ.x');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Your access token is invalid or has expired').waitFor();
    await page.getByText('UNAUTHENTICATED').waitFor();
    await page.getByRole('button', { name: 'Use another access token' }).click();
    await page.getByLabel('Access token').first().waitFor();
  });
});

test('a user whose token has expired signs in again, and returns to the same page', async () => {
  const { organizationId } = await createTenant();
  const token = await tokenFor(organizationId);
  const page = await open({ url: api().url, token, path: '/keys', mayFail: /40[14]/ });
  await page.getByRole('heading', { name: 'SDK keys' }).waitFor();
  await page.route('**/graphql', route =>
    route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer e.n.d' } }),
  );
  await page.getByRole('link', { name: 'Campaigns' }).click();
  await page.getByText('Your access token is invalid or has expired').waitFor();
  await page.unroute('**/graphql');
  await page.getByRole('button', { name: 'Use another access token' }).click();
  await page.getByLabel('Access token').first().fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'No campaign yet' }).waitFor();
});

test('an owner of several workspaces switches between them', async () => {
  const tenant = await createTenant();
  const other = await createSibling(tenant);
  const page = await openAs(tenant.organizationId, '/keys');
  await page.getByRole('heading', { name: 'Choose a workspace' }).waitFor();
  await lookAt(page, 'choose-workspace');
  await page.getByRole('main').getByRole('button', { name: 'New workspace' }).waitFor();
  await page.getByRole('main').getByRole('button', { name: tenant.workspaceId }).click();
  await page.getByText(tenant.writeKey).waitFor();
  await expect.poll(() => focusedText(page)).toBe('SDK keys');
  await page.getByRole('button', { name: /^Workspace:/ }).click();
  await page.getByRole('menuitem', { name: other.workspaceId }).click();
  await page.getByText(other.writeKey).waitFor();
  expect(await page.getByText(tenant.writeKey).count()).toBe(0);
});

test('a session keeps its workspace when the organization gets a second one', async () => {
  const tenant = await createTenant();
  const page = await openAs(tenant.organizationId, '/keys');
  await page.getByText(tenant.writeKey).waitFor();
  const other = await createSibling(tenant);
  // The API notices the second one after some seconds; what counts is that the request names the first.
  const asked = page.waitForRequest(
    request => request.postData()?.includes('query Campaigns') === true,
  );
  await page.getByRole('link', { name: 'Campaigns' }).click();
  const header = (await asked).headers()['x-workspace-id'] ?? '';
  expect(Buffer.from(header, 'base64url').toString()).toBe(`Workspace:${tenant.workspaceId}`);
  await page.reload();
  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByText(tenant.writeKey).waitFor();
  expect(await page.getByText(other.writeKey).count()).toBe(0);
});

test('every view can be reached by keyboard alone, on a phone too', async () => {
  const { organizationId } = await createTenant();
  const page = await openAs(organizationId, '/keys', PHONE_PX);
  await page.getByRole('heading', { name: 'SDK keys' }).waitFor();
  await page.keyboard.press('Tab');
  expect(await focusedText(page)).toBe('Skip to content');
  await page.getByRole('button', { name: 'Open navigation' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Webhooks' }).focus();
  // Inside, because the scroll area would clip it.
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineOffset')).toBe(
    '-2px',
  );
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /webhook/i }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/webhooks');
});

test('an unknown URL shows an error page', async () => {
  const { organizationId } = await createTenant();
  const page = await openAs(organizationId, '/nothing');
  await page.getByText('This page doesn’t exist').waitFor();
});

const ROUTES = [
  '/',
  '/live',
  '/rejected',
  '/people',
  '/insights',
  '/segments',
  '/campaigns',
  '/journeys',
  '/templates',
  '/payments',
  '/partner',
  '/keys',
  '/webhooks',
  '/settings',
];

test.each(ROUTES)(
  'the first load at %s is at most 250 KB, and another view adds little',
  async path => {
    const { organizationId } = await createTenant();
    const token = await tokenFor(organizationId);
    const loaded: Promise<number>[] = [];
    const onLoaded = (bytes: Promise<number>) => loaded.push(bytes);
    const page = await open({ url: api().url, token, path, onLoaded });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('load');
    await page.evaluate('document.fonts.ready.then(() => undefined)');
    const first = await sumOf(loaded);
    expect(first).toBeGreaterThan(100_000);
    expect(first).toBeLessThan(FIRST_LOAD_BYTES_MAX);
    const next = path === '/templates' ? 'Campaigns' : 'Templates';
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: next }).click();
    await page.getByRole('heading', { level: 1, name: next }).waitFor();
    expect((await sumOf(loaded)) - first).toBeLessThan(FURTHER_VIEW_BYTES_MAX);
  },
);

async function sumOf(loaded: readonly Promise<number>[]): Promise<number> {
  return (await Promise.all(loaded)).reduce((sum, bytes) => sum + bytes, 0);
}

async function openAs(organizationId: string, path: string, widthPx?: number): Promise<Page> {
  const token = await tokenFor(organizationId);
  return open({ url: api().url, token, path, ...(widthPx && { widthPx }) });
}

function focusedText(page: Page): Promise<string | null> {
  return page.evaluate<string | null>('document.activeElement?.textContent');
}
