// An owner manages webhook endpoints with a real receiver; members can view them.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { useApi } from '../graphql-api/harness/api-process.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { eventually } from '../harness/eventually.ts';
import { createTenant, sql, type Tenant } from '../harness/tenant.ts';
import { startTestReceiver, type TestReceiver, verified } from '../harness/webhook-receiver.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';
import { happen, makeEndpoint, untilSettled } from './webhooks-scene.ts';

const api = useApi();
const open = useConsole(useChromium());
let receiver: TestReceiver;
beforeAll(async () => {
  receiver = await startTestReceiver();
});
afterAll(() => receiver.stop());

async function openWebhooks(path = '', roles: ('owner' | 'member')[] = ['owner'], tenant?: Tenant) {
  const whose = tenant ?? (await createTenant());
  const token = await tokenFor(whose.organizationId, { roles });
  const page = await open({ url: api().url, token, path: `/webhooks${path}` });
  return { page, tenant: whose };
}

/** An endpoint with one delivered webhook, and one that failed on every attempt. */
async function withFailure() {
  const tenant = await createTenant();
  const { webhookEndpoint } = await makeEndpoint({ api: api(), tenant }, receiver.url);
  await untilSettled(await happen(tenant, 'payment.succeeded'), 'DELIVERED');
  receiver.answer(500);
  const refused = await happen(tenant, 'payment.failed');
  await untilSettled(refused, 'PENDING');
  receiver.answer(204);
  await sql(
    `UPDATE webhook_deliveries SET state = 'FAILED', next_attempt_at = NULL, finished_at = now()
     WHERE event_id = $1`,
    [refused],
  );
  return { tenant, endpointId: webhookEndpoint.id, refused };
}

function bottomOf(box: { readonly y: number; readonly height: number } | null): number {
  return box === null ? Number.NaN : box.y + box.height;
}

test('an endpoint is made, its secret shown once, and a test reaches it', async () => {
  const { page } = await openWebhooks();
  await page.getByText('No endpoints yet').waitFor();
  await page.getByRole('button', { name: 'New endpoint' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('URL').fill('https://10.0.0.1/hooks');
  await form.getByRole('button', { name: 'Create endpoint' }).click();
  await form.getByText('The host must be on the public internet.').waitFor();
  await form.getByLabel('URL').fill(receiver.url);
  await form.getByLabel('Name').fill('Shop backend');
  await form.getByText('Selected events').click();
  await form.getByRole('checkbox').first().waitFor();
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.type')).toBe('checkbox');
  const create = form.getByRole('button', { name: 'Create endpoint' });
  await expect.poll(async () => bottomOf(await create.boundingBox())).toBeLessThan(900);
  await create.click();
  await form.getByText('Select at least one event.').waitFor();
  await form.getByRole('checkbox', { name: 'payment.*' }).check();
  await form.getByRole('button', { name: 'Show the types of delivery.*' }).click();
  await form.getByRole('checkbox', { name: 'delivery.opened' }).check();
  await lookAt(page, 'webhooks-new');
  await form.getByRole('button', { name: 'Create endpoint' }).click();
  const secret = await page.getByRole('dialog').getByLabel('Signing secret').inputValue();
  expect(secret).toMatch(/^whsec_/);
  // The button that was pressed is gone.
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Copy');
  await page.getByRole('button', { name: 'Done' }).click();
  const question = page.getByRole('dialog', { name: 'Close without copying?' });
  await question.getByRole('button', { name: 'Go back' }).click();
  await question.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('heading', { name: 'Shop backend' }).waitFor();
  expect(await page.getByText(secret).count()).toBe(0);
  await page.getByText('delivery.opened', { exact: true }).first().waitFor();

  const before = receiver.received.length;
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByRole('heading', { name: 'endpoint.test' }).waitFor();
  await page.getByRole('cell', { name: '204' }).waitFor();
  await page.getByText('Test event').waitFor();
  expect(verified(secret, receiver.received[before]!)).toMatchObject({ type: 'endpoint.test' });
});

test('the list and an endpoint’s page say how it stands', async () => {
  const { tenant, refused } = await withFailure();
  const { page } = await openWebhooks('', ['owner'], tenant);
  await page.getByText('1 delivered, 1 failed').waitFor();
  await lookAt(page, 'webhooks');
  await page.getByRole('link', { name: 'Shop backend' }).click();
  await page.getByText('Deliveries are failing').waitFor();
  await page.getByRole('link', { name: 'payment.failed' }).waitFor();
  await lookAt(page, 'webhooks-endpoint');
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'Failed' }).click();
  expect(new URL(page.url()).search).toBe('?state=FAILED');
  await page.getByRole('link', { name: 'payment.succeeded' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'payment.failed' }).click();
  await page.getByText(refused).waitFor();
});

test('a failed delivery shows its error, and is resent', async () => {
  const { tenant, endpointId, refused } = await withFailure();
  const { page } = await openWebhooks('/deliveries', ['owner'], tenant);
  await page.getByRole('link', { name: 'payment.failed' }).click();
  await page.getByRole('cell', { name: '500', exact: true }).waitFor();
  await page.getByRole('region', { name: 'Body' }).getByText('"9007199254740993"').waitFor();
  await lookAt(page, 'webhooks-delivery');
  await page.getByRole('button', { name: 'Resend' }).click();
  await page.getByRole('cell', { name: 'Delivered' }).waitFor();
  await page.getByText('Resent', { exact: true }).waitFor();
  expect(receiver.received.filter(({ id }) => id === refused)).toHaveLength(2);
  await page.getByRole('link', { name: 'Shop backend' }).click();
  await page.getByRole('heading', { name: 'Shop backend' }).waitFor();
  expect(page.url()).toContain(endpointId);
});

test('an endpoint is changed, its secret rotated, and it is disabled, enabled and deleted', async () => {
  const tenant = await createTenant();
  const { webhookEndpoint, secret } = await makeEndpoint({ api: api(), tenant }, receiver.url);
  const { page } = await openWebhooks(`/endpoints/${webhookEndpoint.id}`, ['owner'], tenant);
  const menu = async (item: string) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await menu('Edit');
  await page.getByRole('dialog').getByLabel('Name').fill('CRM');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'CRM' }).waitFor();

  await menu('Rotate secret');
  await expect
    .poll(() => page.evaluate("document.activeElement.getAttribute('role')"))
    .toBe('combobox');
  await page.getByText(/The old secret works until .+\d:\d\d/).waitFor();
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  const next = await page.getByRole('dialog').getByLabel('Signing secret').inputValue();
  expect(next).not.toBe(secret);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Close without copying' }).click();
  await page.getByText('valid until').waitFor();

  await menu('Disable');
  await page.getByRole('dialog').getByRole('button', { name: 'Disable endpoint' }).click();
  await page.getByText('Disabled by an owner').waitFor();
  const missed = await happen(tenant, 'payment.succeeded');
  await eventually(async () => {
    const rows = await sql('SELECT state FROM webhook_deliveries WHERE event_id = $1', [missed]);
    expect(rows).toEqual([{ state: 'CANCELLED' }]);
  });
  await page.getByRole('button', { name: 'Enable endpoint' }).click();
  await page.getByText('Endpoint disabled').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Resend deliveries …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Resend', exact: true }).click();
  await page.getByText('1 delivery will be resent.').last().waitFor();
  await eventually(() => {
    const told = receiver.received.find(({ id }) => id === missed);
    expect(told && verified(next, told)).toMatchObject({ type: 'payment.succeeded' });
  });

  await menu('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete endpoint' }).click();
  await page.getByText('No endpoints yet').waitFor();
  await page.getByRole('link', { name: 'Deliveries' }).click();
  await page.getByText('Deleted endpoint').waitFor();
});

test('an endpoint that responded with 410 is shown as such, and a member sees no actions', async () => {
  const tenant = await createTenant();
  const { webhookEndpoint } = await makeEndpoint({ api: api(), tenant }, receiver.url);
  receiver.answer(410);
  const gone = await happen(tenant, 'payment.succeeded');
  await untilSettled(gone, 'FAILED');
  receiver.answer(204);
  const path = `/endpoints/${webhookEndpoint.id}`;
  const { page } = await openWebhooks(path, ['member'], tenant);
  await page.getByText('Disabled because it responded with 410 (Gone)').waitFor();
  await page.getByRole('link', { name: 'payment.succeeded' }).waitFor();
  expect(await page.getByRole('button', { name: /test|actions|resend|Enable/i }).count()).toBe(0);
  await lookAt(page, 'webhooks-disabled');
});
