// Platform admins handle failed jobs, rejected rows and cells.

import { expect, test } from 'vitest';
import { JOB_QUEUE_SCHEMA } from '../../schema/environment/job-queue.ts';
import { createDeadLetter, createRefusedRow } from '../graphql-api/harness/operations.ts';
import { eventually } from '../harness/eventually.ts';
import { lookAt } from './harness/look-at.ts';
import { answerYes, useOperations } from './operations-scene.ts';

const { ownerUrl, query, newTenant, openAs, openAt } = useOperations();

test('an owner has no operations', async () => {
  const page = await openAs('owner');
  await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Settings' }).waitFor();
  expect(await page.getByRole('link', { name: 'Operations' }).count()).toBe(0);
});

test('a failed job is read and retried, and one that no longer exists is refused', async () => {
  const databaseUrl = ownerUrl();
  const id = await createDeadLetter({ databaseUrl, data: { dueAt: '2026-11-01T00:00:00Z' } });
  const orphan = await createDeadLetter({ databaseUrl, job: 'of-an-old-release' });
  const page = await openAt();
  const row = page.getByRole('row').filter({ hasText: 'forget-old-records' });
  await row.waitFor();
  await lookAt(page, 'operations-dead-letters');
  await page.getByRole('button', { name: 'of-an-old-release' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('it broke').waitFor();
  await lookAt(page, 'operations-dead-letter');
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await page.getByText('This release no longer has the job').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await row.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await page.getByText('1 job was queued again.').waitFor();
  await row.waitFor({ state: 'detached' });
  const left = await query(`SELECT id FROM ${JOB_QUEUE_SCHEMA}.job WHERE id IN ($1, $2)`, [
    id,
    orphan,
  ]);
  expect(left).toEqual([{ id: orphan }]);
});

test('a rejected row is sent again, and another discarded once that is confirmed', async () => {
  const tenant = await newTenant();
  const [retried, discarded] = [
    await createRefusedRow(tenant, { card_id: 'retried' }, ownerUrl()),
    await createRefusedRow(tenant, { card_id: 'discarded' }, ownerUrl()),
  ];
  await query("UPDATE ingest_outbox SET failure = '400: to discard' WHERE id = $1", [discarded]);
  const page = await openAt('/rows');
  const row = page.getByRole('row').filter({ hasText: '400: it is wrong' });
  await row.waitFor();
  await lookAt(page, 'operations-rows');
  await row.getByRole('button', { name: 'activity_cards_raw' }).click();
  await page.getByRole('dialog').getByText('"retried"').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
  await page.getByText('Queued.').waitFor();
  await eventually(async () => {
    const [found] = await query('SELECT attempts FROM ingest_outbox WHERE id = $1', [retried]);
    expect(found).toEqual({ attempts: 2 });
  });
  const other = page.getByRole('row').filter({ hasText: '400: to discard' });
  await other.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('This can’t be undone.').waitFor();
  await answerYes(page, 'Discard');
  await other.waitFor({ state: 'detached' });
  expect(await query('SELECT FROM ingest_outbox WHERE id = $1', [discarded])).toEqual([]);
});

test('a cell is created, limited, disabled and enabled, and its lag shown', async () => {
  const page = await openAt('/cells');
  const first = page.getByRole('row').filter({ hasText: 'default' });
  await first.getByText(/Up to date|late/).waitFor();
  await page.getByRole('button', { name: 'New cell' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('eu-west');
  await dialog.getByText('CLICKHOUSE_URL_EU_WEST').waitFor();
  await dialog.getByLabel('Region').fill('Europe');
  await dialog.getByRole('button', { name: 'Create cell' }).click();
  const row = page.getByRole('row').filter({ hasText: 'eu-west' });
  await row.getByRole('button', { name: 'Actions for eu-west' }).click();
  await page.getByRole('menuitem', { name: 'Set default limit' }).click();
  await dialog.getByLabel('Events per minute').fill('60000');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row.getByText('60,000').waitFor();
  await row.getByRole('button', { name: 'Actions for eu-west' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await dialog.getByText('ingest responds to its 0 workspaces with 502').waitFor();
  await dialog.getByRole('button', { name: 'Disable cell' }).click();
  await row.getByText('Disabled', { exact: true }).waitFor();
  await lookAt(page, 'operations-cells');
  await row.getByRole('button', { name: 'Actions for eu-west' }).click();
  await page.getByRole('menuitem', { name: 'Enable' }).click();
  await row.getByText('Enabled', { exact: true }).waitFor();
});
