// Sign-in to the console at an OpenID provider, in a browser that checks origins.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiProcess, startApi } from '../graphql-api/harness/api-process.ts';
import { eventually } from '../harness/eventually.ts';
import { createTenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';
import { AUDIENCE, CLIENT_ID, type OidcIssuer, startOidcIssuer } from './harness/oidc-issuer.ts';

/** The provider's pages load a font from there. */
const FONTS = 'https://fonts.googleapis.com/';
/** The API alone offers no demo tokens. */
const NO_DEMO = /404/;

let issuer: OidcIssuer;
let api: ApiProcess;
const browser = useChromium(true);
const openConsole = useConsole(browser);

beforeAll(async () => {
  issuer = await startOidcIssuer();
  api = await startApi({
    env: {
      AUTH_JWT_SECRET: '',
      AUTH_ISSUER: issuer.url,
      AUTH_AUDIENCE: AUDIENCE,
      CONSOLE_OIDC_ISSUER: issuer.url,
      CONSOLE_OIDC_CLIENT_ID: CLIENT_ID,
      CONSOLE_OIDC_AUDIENCE: AUDIENCE,
    },
  });
  await issuer.register(api.url);
});
afterAll(async () => {
  await api?.stop();
  issuer?.stop();
});

test('a user signs in at the provider, returns to the page asked for, and signs out', async () => {
  const tenant = await createTenant();
  const page = await open('/keys');
  const button = page.getByRole('button', { name: `Sign in with ${new URL(issuer.url).host}` });
  await button.waitFor();
  expect(await page.getByLabel('Access token').count()).toBe(0);
  await lookAt(page, 'sign-in-provider');
  await signInAs(page, tenant.organizationId);
  await page.getByText(tenant.writeKey).waitFor();
  expect(page.url()).toBe(`${api.url}/console/keys`);
  expect(await page.evaluate(`sessionStorage.getItem('console-sign-in')`)).toBeNull();
  await page.reload();
  await page.getByText(tenant.writeKey).waitFor();
  await page.getByRole('button', { name: 'Account and appearance' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await button.waitFor();
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
  await button.click();
  await page.getByPlaceholder('Enter any login').waitFor();
});

test('a token is renewed before it expires, and the page stays as it is', async () => {
  const tenant = await createTenant();
  const page = await open('/webhooks');
  // The console renews 10 s before the end, so after 5 s.
  issuer.tokenSeconds = 15;
  await signInAs(page, tenant.organizationId);
  await page.getByRole('heading', { level: 1, name: /webhook/i }).waitFor();
  const before = await tokenIn(page);
  issuer.tokenSeconds = 600;
  await page.evaluate(`document.querySelector('h1').dataset.kept = 'yes'`);
  await eventually(async () => expect(await tokenIn(page)).not.toBe(before));
  expect(issuer.grants).toContain('refresh_token');
  expect(await page.locator('h1[data-kept]').count()).toBe(1);
  const [sent] = await Promise.all([
    page.waitForRequest('**/graphql'),
    page.locator('a[href="/console/keys"]').click(),
  ]);
  await page.getByText(tenant.writeKey).waitFor();
  expect(sent.headers().authorization).toBe(`Bearer ${await tokenIn(page)}`);
});

test('a user who cancels at the provider reads what to do', async () => {
  const page = await open('/keys');
  await page.getByRole('button', { name: /^Sign in with/ }).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByText('The identity provider denied access').waitFor();
  expect(page.url()).toBe(`${api.url}/console/`);
});

test('an answer with another state is refused, and no code is exchanged', async () => {
  const page = await open('/keys');
  const before = issuer.grants.length;
  await page.getByRole('button', { name: /^Sign in with/ }).click();
  await page.getByPlaceholder('Enter any login').waitFor();
  const iss = encodeURIComponent(issuer.url);
  await page.goto(`/console/signed-in?code=stolen&state=another&iss=${iss}`);
  await page.getByText('This sign-in was not started in this tab').waitFor();
  expect(issuer.grants.length).toBe(before);
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
});

test('an access token that is not a JWT is refused with the reason', async () => {
  const tenant = await createTenant();
  const page = await open('/keys');
  issuer.issuesJwts = false;
  try {
    await signInAs(page, tenant.organizationId);
    await page.getByText('issued an access token that is not a JWT').waitFor();
  } finally {
    issuer.issuesJwts = true;
  }
});

test('while the provider cannot be reached, the page says so', async () => {
  const page = await open('/keys', /404|ERR_FAILED/);
  await page.route(`${issuer.url}/**`, route => route.abort());
  await page.getByRole('button', { name: /^Sign in with/ }).click();
  await page.getByText('Can’t reach the identity provider').waitFor();
});

async function open(path: string, mayFail = NO_DEMO): Promise<Page> {
  const mayAsk = new RegExp(`^(${issuer.url}|${FONTS})`);
  const page = await openConsole({ url: api.url, path, mayFail, mayAsk });
  await page.route(`${FONTS}**`, route => route.fulfill({ contentType: 'text/css', body: '' }));
  return page;
}

/** Through the provider's pages for login and consent. */
async function signInAs(page: Page, login: string): Promise<void> {
  await page.getByRole('button', { name: /^Sign in with/ }).click();
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

function tokenIn(page: Page): Promise<string> {
  return page.evaluate<string>(`JSON.parse(sessionStorage.getItem('console-session')).token`);
}
