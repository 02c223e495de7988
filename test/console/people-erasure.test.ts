// The personal data of a person is exported and erased, and an erasure has a receipt.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { encodeNodeId } from '../../graphql-api/platform/graph/node-id.ts';
import { eventRow, insertRows } from '../graphql-api/harness/report-rows.ts';
import { createContact } from '../harness/campaign.ts';
import { eventually } from '../harness/eventually.ts';
import { createTenant, sql } from '../harness/tenant.ts';
import { lookAt } from './harness/look-at.ts';
import { addressOf, chooseAction, usePeople } from './people-scene.ts';

const { openAt } = usePeople();

test('an owner exports the data of a person, then erases the person', async () => {
  const tenant = await createTenant();
  await createContact(tenant.workspaceId, { userId: 'asha' });
  await insertRows('events_raw', [eventRow(tenant, { user_id: 'asha' })]);
  const page = await openAt(tenant, addressOf('asha'));
  await page.getByRole('button', { name: 'Order Completed' }).waitFor();
  await chooseAction(page, 'Export personal data');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/rows are stored, in/).waitFor();
  await lookAt(page, 'person-export');
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  expect(file).toContain('Order Completed');
  expect(file.trim().split('\n').at(-1)).toContain('"complete":true');

  await chooseAction(page, 'Suppress');
  await dialog.getByRole('button', { name: 'Suppress' }).click();
  await page.getByText('Receives no journey messages').waitFor();
  await chooseAction(page, 'Erase this person');
  const button = dialog.getByRole('button', { name: 'Erase this person' });
  await button.waitFor();
  await dialog.getByText(/rows are stored, in/).waitFor();
  await dialog.getByText('in 4 tables: contact').waitFor();
  await dialog.getByText(/^3 rows will be deleted, and values removed from 1 in/).waitFor();
  await dialog.getByText(/Payments and their records, .* deals of partners are kept/).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await chooseAction(page, 'Erase this person');
  await dialog.getByRole('button', { name: 'Copy user ID' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('asha');
  await dialog.getByText(/rows are stored, in/).waitFor();
  expect(await button.isDisabled()).toBe(true);
  await dialog.getByLabel('To confirm, type asha').fill('asha');
  await lookAt(page, 'person-erase');
  await button.click();
  await page.getByText(/^asha (is being|was) erased$/).waitFor();
  expect(await page.getByRole('button', { name: 'Order Completed' }).count()).toBe(0);
  await page.getByText('asha was erased').waitFor();
  await page.getByText(/^Everything that was stored .* is checked for and deleted until/).waitFor();
  await lookAt(page, 'person-erased');
  await page.reload();
  await page.getByText('asha was erased').waitFor();
  await lookAt(page, 'person-erased-before');
  await eventually(async () => {
    const rows = await sql('SELECT user_id FROM contacts WHERE workspace_id = $1', [
      tenant.workspaceId,
    ]);
    expect(rows).toEqual([]);
  });
  await page.goto(new URL('/console/people?search=asha', page.url()).href);
  await page.getByText('asha was erased').waitFor();
  expect(await page.getByRole('link', { name: /^Show the timeline/ }).count()).toBe(0);
  await lookAt(page, 'people-erased');
  await page.getByRole('link', { name: 'Receipt of the erasure' }).click();
  const receipt = page.getByRole('dialog', { name: 'Receipt of the erasure' });
  const rows = receipt.getByRole('table', { name: 'Rows by table' }).getByRole('row');
  await rows
    .filter({ hasText: /^Contact/ })
    .getByText('Deleted', { exact: true })
    .waitFor();
  await receipt.getByText(/^\d+ deleted, values removed from \d+$/).waitFor();
  await receipt.getByText('Events that were accepted before the deletion').waitFor();
  await receipt.getByText(/^Next: .+\. Last: .+, if it finds no rows$/).waitFor();
  await receipt.getByText('An erasure doesn’t search this data.').waitFor();
  await lookAt(page, 'receipt');
  await page.keyboard.press('Escape');
  await receipt.waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('');
  await page.getByRole('table', { name: 'Erasures' }).getByRole('button').first().waitFor();
});

test('the open receipt of an erasure that is under way is refreshed', async () => {
  const tenant = await createTenant();
  const id = randomUUID();
  const setTo = (state: string, erasedAt: Date | null, left: number | null) =>
    sql(`UPDATE person_erasures SET state = $2, erased_at = $3, receipt = $4 WHERE id = $1`, [
      id,
      state,
      erasedAt,
      JSON.stringify([{ ...CONTACTS, left }]),
    ]);
  await sql(
    `INSERT INTO person_erasures
       (id, workspace_id, actor_id, digest, name_hashes, device_hashes, late_days, next_pass_at)
     VALUES ($1, $2, 'owner', $3, '{}', '{}', 0, now() + interval '1 day')`,
    [id, tenant.workspaceId, 'ab'.repeat(32)],
  );
  await setTo('RUNNING', null, null);
  const page = await openAt(
    tenant,
    `/settings/privacy?erasure=${encodeURIComponent(encodeNodeId('PersonErasure', id))}`,
  );
  const receipt = page.getByRole('dialog', { name: 'Receipt of the erasure' });
  await receipt.getByText('Last: about 45 minutes after the deletion').waitFor();
  const row = receipt.getByRole('row').filter({ hasText: 'Contact' });
  await row.getByText('To delete', { exact: true }).waitFor();
  await setTo('SETTLING', new Date(), 0);
  await row.getByText('Deleted', { exact: true }).waitFor();
  await receipt.getByText(/^Last: .+, if it finds no rows$/).waitFor();
  await setTo('WATCHING', new Date(), 0);
  await sql('UPDATE person_erasures SET late_days = 2 WHERE id = $1', [id]);
  await page.reload();
  await receipt.getByText('A check deletes these events once a day, for 2 days.').waitFor();
});

const CONTACTS = {
  engine: 'POSTGRES',
  table: 'contacts',
  outcome: 'DELETED',
  before: 1,
  later: 0,
  reason: null,
};

test('a person can be erased while their rows are still counted', async () => {
  const { page, dialog, held } = await openErase();
  await dialog.getByText('Finding the IDs of this person').waitFor();
  const field = dialog.getByLabel('To confirm, type asha');
  await expect.poll(() => field.evaluate(input => input === document.activeElement)).toBe(true);
  await page.keyboard.type('asha');
  await page.keyboard.press('Enter');
  const button = dialog.getByRole('button', { name: 'Erase this person' });
  expect(await button.isDisabled()).toBe(true);
  held.found.resolve();
  await dialog.getByText('Counting the rows… You don’t have to wait').waitFor();
  expect(await field.inputValue()).toBe('asha');
  await lookAt(page, 'person-erase-counting');
  await page.keyboard.press('Enter');
  await page.getByText(/^asha (is being|was) erased$/).waitFor();
  held.counted.resolve('answered');
});

test('a person can be erased although their rows can’t be counted', async () => {
  const { page, dialog, held } = await openErase();
  held.found.resolve();
  held.counted.resolve('lost');
  await dialog.getByText('Couldn’t count the rows.').waitFor();
  await dialog.getByRole('button', { name: 'Try again' }).waitFor();
  await dialog.getByLabel('To confirm, type asha').fill('asha');
  await lookAt(page, 'person-erase-uncounted');
  await dialog.getByRole('button', { name: 'Erase this person' }).click();
  await page.getByText(/^asha (is being|was) erased$/).waitFor();
});

/** The dialog of a new person, whose two queries wait until the promises are settled. */
async function openErase() {
  const tenant = await createTenant();
  await createContact(tenant.workspaceId, { userId: 'asha' });
  const page = await openAt(tenant, addressOf('asha'), { mayFail: /ERR_FAILED/ });
  const held = {
    found: Promise.withResolvers<void>(),
    counted: Promise.withResolvers<'answered' | 'lost'>(),
  };
  await page.route('**/graphql', async route => {
    const query = route.request().postData() ?? '';
    if (query.includes('query PersonFootprint')) await held.found.promise;
    const isLost = query.includes('query PersonRows') && (await held.counted.promise) === 'lost';
    await (isLost ? route.abort() : route.continue());
  });
  await chooseAction(page, 'Erase this person');
  return { page, dialog: page.getByRole('dialog'), held };
}
