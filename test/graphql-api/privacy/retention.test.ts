// Rows older than a workspace's retention are deleted, after a day in which a mistake can be
// undone.

import { expect, test } from 'vitest';
import { enforceRetention } from '../../../graphql-api/privacy/enforce-retention.job.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { rows } from '../../harness/warehouse.ts';
import { eventRow, insertRows, rejectedRow } from '../harness/report-rows.ts';
import { type Caller, useClockedApi } from '../partner/clocked-api.ts';

// One job processes the rules of all tenants, so the tests are not concurrent.
const api = useClockedApi();

async function tenantOf(): Promise<{ tenant: Tenant; caller: Caller }> {
  const tenant = await createTenant({ databaseUrl: api().ownerUrl });
  return { tenant, caller: await api().caller(tenant.organizationId) };
}

/** Inserts an event at noon of each day, and a rejected event on the first day. */
async function insertDays(tenant: Tenant, days: readonly string[]): Promise<void> {
  const times = days.map(day => `${day}T12:00:00.000Z`);
  await insertRows(
    'events_raw',
    times.map(timestamp => eventRow(tenant, { timestamp })),
  );
  await insertRows('rejected_events_raw', [rejectedRow(tenant, { received_at: times[0] })]);
}

async function daysOf(view: string, time: string, { workspaceId }: Tenant): Promise<string[]> {
  const found = await rows<{ day: string }>(
    `SELECT toString(toDate(${time})) AS day FROM ${view} WHERE workspace_id = {workspaceId:UUID} ORDER BY day`,
    { workspaceId },
  );
  return found.map(({ day }) => day);
}

const eventDays = (tenant: Tenant) => daysOf('events', 'timestamp', tenant);

type Rule = { readonly id: string; readonly effectiveAt: string };

async function setRule(caller: Caller, keepDays: number): Promise<Rule> {
  const input = { dataset: 'EVENTS', keepDays };
  const { rule } = await caller.mutate('retentionRuleSet', 'rule { id effectiveAt }', { input });
  return rule as Rule;
}

async function preview(caller: Caller, keepDays: number) {
  const { retentionPreview } = await caller.graph(
    `query ($keepDays: Int!) {
       retentionPreview(dataset: EVENTS, keepDays: $keepDays) { before rows days firstDay lastDay } }`,
    { keepDays },
  );
  return retentionPreview;
}

test('rows are deleted a day after a rule was set, as the preview said, of that workspace and dataset only', async () => {
  api().setClock('2026-01-10T02:00:00Z');
  const [{ tenant, caller }, { tenant: other }] = [await tenantOf(), await tenantOf()];
  const days = ['2025-12-30', '2025-12-31', '2026-01-01', '2026-01-02', '2026-01-10'];
  await insertDays(tenant, [...days, '2025-12-30']);
  await insertDays(other, days);
  expect(await preview(caller, 10)).toEqual({
    before: '2026-01-01T00:00:00.000Z',
    rows: 3,
    days: 2,
    firstDay: '2025-12-30',
    lastDay: '2025-12-31',
  });
  const { id, effectiveAt } = await setRule(caller, 10);
  expect(effectiveAt).toBe('2026-01-11T02:00:00.000Z');
  await api().runJob(enforceRetention);
  expect(await eventDays(tenant)).toHaveLength(6);

  api().advanceDays(1);
  await api().runJob(enforceRetention);
  expect(await eventDays(tenant)).toEqual(days.slice(2));
  expect(await eventDays(other)).toEqual(days);
  expect(await daysOf('rejected_events', 'received_at', tenant)).toEqual(['2025-12-30']);
  const { node, auditEntries } = await caller.graph(
    `query ($id: ID!) {
       node(id: $id) { ... on RetentionRule { deletedRows lastRunAt } }
       auditEntries(first: 5, subjectId: $id) { nodes { action after } } }`,
    { id },
  );
  expect(node).toEqual({ deletedRows: 3, lastRunAt: '2026-01-11T02:00:00.000Z' });
  expect((auditEntries as { nodes: object[] }).nodes).toMatchObject([
    { action: 'retention_rule.enforce', after: { deleted: 3 } },
    { action: 'retention_rule.set', after: { dataset: 'EVENTS', keepDays: 10 } },
  ]);
});

test('the preview of a rule that becomes effective after the run of a day is of the next run', async () => {
  const { tenant, caller } = await tenantOf();
  const days = ['2025-12-31', '2026-01-01', '2026-01-02'];
  await insertDays(tenant, days);
  api().setClock('2026-01-10T03:47:00Z');
  expect(await preview(caller, 10)).toMatchObject({ before: '2026-01-01T00:00:00.000Z', rows: 1 });
  api().setClock('2026-01-10T03:47:01Z');
  const later = { before: '2026-01-02T00:00:00.000Z', rows: 2 };
  expect(await preview(caller, 10)).toMatchObject(later);
  await setRule(caller, 10);
  api().setClock('2026-01-11T03:47:00Z');
  await api().runJob(enforceRetention);
  expect(await eventDays(tenant)).toEqual(days);
  api().setClock('2026-01-12T03:47:00Z');
  await api().runJob(enforceRetention);
  expect(await eventDays(tenant)).toEqual(days.slice(2));
});

test('a rule that is changed waits again, and one that is removed deletes nothing', async () => {
  api().setClock('2026-02-10T02:00:00Z');
  const { tenant, caller } = await tenantOf();
  await insertDays(tenant, ['2026-01-01', '2026-02-01']);
  const { id } = await setRule(caller, 30);
  api().advanceDays(1);
  expect(await setRule(caller, 5)).toEqual({ id, effectiveAt: '2026-02-12T02:00:00.000Z' });
  await api().runJob(enforceRetention);
  expect(await eventDays(tenant)).toHaveLength(2);
  await caller.mutate('retentionRuleRemove', 'isRemoved', { id });
  api().advanceDays(10);
  await api().runJob(enforceRetention);
  expect(await eventDays(tenant)).toHaveLength(2);
});
