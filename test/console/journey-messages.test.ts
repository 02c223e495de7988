// The messages that a journey sent, on its page.

import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { uuidOf } from '../../graphql-api/platform/graph/node-id.ts';
import { insertRows } from '../graphql-api/harness/report-rows.ts';
import { sql } from '../harness/tenant.ts';
import { lookAt } from './harness/look-at.ts';
import { type JourneysScene, useJourneys } from './journeys-scene.ts';

const { tell, openAt } = useJourneys();
let told: JourneysScene;

beforeAll(async () => {
  told = await tell();
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

test('lists the messages with their version and the reason, by time range and reason', async () => {
  const { tenant, welcomeId, path } = told;
  const [version] = (await sql(
    'SELECT id FROM template_versions WHERE template_id = $1 AND number = 1',
    [welcomeId],
  )) as { id: string }[];
  const message = {
    workspace_id: tenant.workspaceId,
    journey_id: uuidOf('Journey', path.split('/').at(-1)!),
    template_id: welcomeId,
    version_id: version!.id,
    node_id: 'hello',
  };
  const sent = (user_id: string, reason: string, days: number) => {
    return { ...message, send_id: randomUUID(), user_id, reason, sent_at: daysAgo(days) };
  };
  await insertRows('send_audits_raw', [
    sent('asha', 'pin', 1),
    sent('meera', 'fallback_rejected', 2),
    sent('ravi', 'active', 20),
    { ...sent('john', 'pin', 1), journey_id: randomUUID() },
  ]);
  const page = await openAt(path, tenant, 'member');
  const messages = page.getByRole('region', { name: 'Messages' });
  const row = messages.getByRole('row').filter({ hasText: 'meera' });
  await row.getByText('Pin rejected').waitFor();
  await row.getByText('1. Message: Welcome').waitFor();
  await row.getByRole('link', { name: 'Welcome v1' }).waitFor();
  const bodyRows = messages.locator('tbody tr');
  expect(await bodyRows.count()).toBe(2);
  await lookAt(page, 'journey-messages');
  await messages.getByRole('combobox', { name: 'Why this version' }).click();
  await page.getByRole('option', { name: 'Pinned version', exact: true }).click();
  await row.waitFor({ state: 'detached' });
  await messages.getByRole('link', { name: 'asha' }).waitFor();
  expect(await bodyRows.count()).toBe(1);
  await messages.getByRole('combobox', { name: 'Why this version' }).click();
  await page.getByRole('option', { name: 'Active version' }).click();
  await messages.getByRole('heading', { name: /^No messages with this reason/ }).waitFor();
  await messages.getByText('30 days', { exact: true }).click();
  await messages.getByRole('link', { name: 'ravi' }).waitFor();
});
