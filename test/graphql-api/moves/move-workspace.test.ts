// A workspace is moved from one ClickHouse to another: under load, with rows that arrive late, with a killed
// job, and with a move that is taken back. After each case, analysts read every acknowledged event once in the
// cell of the workspace.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createContext } from '../../../graphql-api/platform/context.ts';
import { runAction } from '../../../graphql-api/platform/run-action.ts';
import { enforceRetention } from '../../../graphql-api/privacy/enforce-retention.job.ts';
import { analystLoginCreate } from '../../../graphql-api/tenancy/analyst-login.actions.ts';
import { applyAnalystLoginsOf } from '../../../graphql-api/tenancy/analyst-login.apply.ts';
import { LOGINS_QUESTION } from '../../../schema/analyst-login/statements.ts';
import { eventOf, newMessageId } from '../../harness/batch.ts';
import { postEvents } from '../../harness/batch-client.ts';
import { EACH_ONCE, tally, untilDrained } from '../../harness/copies.ts';
import { eventually } from '../../harness/eventually.ts';
import { createBarrier, pass } from '../../harness/fault-proxy.ts';
import type { OwnClickHouse } from '../../harness/own-clickhouse.ts';
import { postPush } from '../../harness/push.ts';
import { sql, type Tenant } from '../../harness/tenant.ts';
import { contextOf } from '../harness/deps.ts';
import {
  moveOf,
  newTenant,
  OTHER_CELL,
  operatorOf,
  runMoves,
  type StoredMove,
  sendBatch,
  startTraffic,
  useMoveScene,
} from './move-scene.ts';

const scene = useMoveScene();
const DAY_MS = 24 * 60 * 60 * 1000;

test('a move under load refuses no request, and leaves each event once in the new cell', async hooks => {
  const tenant = await newTenant(scene());
  const before = await sendBatch(scene(), tenant);
  await expectEachOnce(scene().former, tenant, before);
  const traffic = startTraffic(scene(), tenant, hooks);
  await operatorOf(scene(), tenant).start();
  await runMoves(scene());
  await expectMove(tenant, { state: 'VERIFIED', cell: OTHER_CELL, waits_for: null });
  await traffic.stop();
  expect(traffic.refusals).toEqual([]);
  await untilDrained(scene().ingest);
  await expectEachOnce(scene().other, tenant, [...before, ...traffic.acknowledged]);
  expect(await reported(tenant)).toBe(before.length + traffic.acknowledged.length);

  await operatorOf(scene(), tenant).finish();
  await runMoves(scene());
  await expectMove(tenant, { state: 'DONE', waits_for: null });
  expect(await rowsIn(scene().former, tenant)).toEqual({});
  await expectEachOnce(scene().other, tenant, [...before, ...traffic.acknowledged]);
});

test('rows of every table, of closed days and that arrive after the switch are copied', async () => {
  const tenant = await newTenant(scene());
  const { ingest, ingestToFormer } = scene();
  const lateIds = Array.from({ length: 3 }, newMessageId);
  const lateEvents = lateIds.map(id =>
    eventOf(id, { timestamp: JSON.stringify(new Date(Date.now() - 40 * DAY_MS).toISOString()) }),
  );
  await postEvents(ingest, tenant.writeKey, lateEvents);
  const rejected = await postEvents(ingest, tenant.writeKey, [eventOf('', { event: '1' })]);
  expect(rejected.status).toBe(400);
  const report = { message_id: newMessageId(), user_id: 'u1', anonymous_id: 'a1' };
  await postPush(ingest, tenant, { ...report, event_type: 'push.shown' });
  const before = await sendBatch(scene(), tenant);
  await untilDrained(ingest);

  // Acknowledged for the former cell, but not in its ClickHouse before the switch.
  ingestToFormer.refuseConnections(true);
  const waiting = await sendBatch(scene(), tenant);
  await operatorOf(scene(), tenant).start();
  const moving = runMoves(scene());
  await eventually(async () => expect((await moveOf(scene(), tenant)).state).toBe('SWITCHED'));
  await eventually(async () => {
    before.push(...(await sendBatch(scene(), tenant)));
    expect(await rowsIn(scene().other, tenant)).toMatchObject({ events: expect.any(Number) });
  });
  // The report arrives in the new cell and is higher than the copied one.
  await postPush(ingest, tenant, { ...report, event_type: 'push.clicked' });
  expect((await moveOf(scene(), tenant)).state).toBe('SWITCHED');
  ingestToFormer.refuseConnections(false);
  await moving;
  await expectMove(tenant, { state: 'VERIFIED' });
  const stored = await tally(scene().other, 'events', tenant.workspaceId, [
    ...lateIds,
    ...before,
    ...waiting,
  ]);
  expect(stored).toMatchObject({ missing: [], doubled: [] });
  expect(await rowsIn(scene().other, tenant)).toMatchObject({ rejected_events: 1, deliveries: 1 });
  const statuses = await scene().other.rows<{ status: string }>(
    'SELECT status FROM deliveries WHERE workspace_id = {workspaceId:UUID}',
    { workspaceId: tenant.workspaceId },
  );
  expect(statuses).toEqual([{ status: 'clicked' }]);
});

test('a missing row is noticed, reported and copied again', async () => {
  const tenant = await newTenant(scene());
  const sent = await sendBatch(scene(), tenant);
  await untilDrained(scene().ingest);
  await operatorOf(scene(), tenant).start();
  await runMoves(scene());
  await expectMove(tenant, { state: 'VERIFIED' });
  for (const table of ['events_raw', 'events_late'])
    await scene().other.command(
      `ALTER TABLE ${table} DELETE WHERE message_id = '${sent[0]}' SETTINGS mutations_sync = 1`,
    );
  expect((await tally(scene().other, 'events', tenant.workspaceId, sent)).missing).toEqual([
    sent[0],
  ]);

  const { clock } = scene().deps;
  clock.setMs(Date.now() + 2 * 60 * 60 * 1000);
  await runMoves(scene()).finally(() => clock.setMs(undefined));
  expect(await auditedActions(tenant)).toEqual([
    'cell_move.start',
    'cell_move.switch',
    'cell_move.verify',
    'cell_move.reopen',
    'cell_move.verify',
  ]);
  await expectMove(tenant, { state: 'VERIFIED' });
  await expectEachOnce(scene().other, tenant, sent);
});

test('a job that is killed while it copies is continued by another process', async hooks => {
  const tenant = await newTenant(scene());
  const sent = await sendBatch(scene(), tenant);
  await postPush(scene().ingest, tenant, {
    message_id: newMessageId(),
    user_id: 'u1',
    event_type: 'push.shown',
  });
  await untilDrained(scene().ingest);
  await operatorOf(scene(), tenant).start();
  const { jobToOther, env } = scene();
  const atInsert = createBarrier();
  let inserts = 0;
  jobToOther.onInsert = async exchange => {
    if (++inserts === 2) {
      await exchange.forward();
      await atInsert.wait();
    }
    await pass(exchange);
  };
  hooks.onTestFinished(() => {
    jobToOther.onInsert = pass;
  });
  const job = spawn(process.execPath, [join(import.meta.dirname, 'run-moves.ts')], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  await atInsert.reached;
  job.kill('SIGKILL');
  await once(job, 'close');
  jobToOther.onInsert = pass;
  atInsert.open();
  await expectMove(tenant, { state: 'COPYING', cell: 'default' });

  await runMoves(scene());
  await expectMove(tenant, { state: 'VERIFIED', cell: OTHER_CELL });
  await expectEachOnce(scene().other, tenant, sent);
  expect(await rowsIn(scene().other, tenant)).toMatchObject({ deliveries: 1 });
});

test('a move that is taken back before the switch changes nothing', async () => {
  const tenant = await newTenant(scene());
  const sent = await sendBatch(scene(), tenant);
  await untilDrained(scene().ingest);
  await operatorOf(scene(), tenant).start();
  await expect(operatorOf(scene(), tenant).start()).rejects.toThrow('CELL_MOVE_EXISTS');
  await expect(operatorOf(scene(), tenant).finish()).rejects.toThrow('CELL_MOVE_STATE');
  await operatorOf(scene(), tenant).takeBack();
  await runMoves(scene());
  await expectMove(tenant, { state: 'TAKEN_BACK', cell: 'default' });
  await operatorOf(scene(), tenant).finish();
  await runMoves(scene());
  expect((await moveOf(scene(), tenant)).finished_at).not.toBeNull();
  expect(await rowsIn(scene().other, tenant)).toEqual({});
  await expectEachOnce(scene().former, tenant, sent);
});

test('a move that is taken back after the switch returns what arrived since', async hooks => {
  const tenant = await newTenant(scene());
  const before = await sendBatch(scene(), tenant);
  await untilDrained(scene().ingest);
  await operatorOf(scene(), tenant).start();
  const traffic = startTraffic(scene(), tenant, hooks);
  await runMoves(scene());
  await expectMove(tenant, { state: 'VERIFIED', cell: OTHER_CELL });
  await operatorOf(scene(), tenant).takeBack();
  await expectMove(tenant, { state: 'TAKING_BACK', cell: 'default' });
  await runMoves(scene());
  await expectMove(tenant, { state: 'TAKEN_BACK', cell: 'default' });
  await traffic.stop();
  await untilDrained(scene().ingest);
  expect(traffic.refusals).toEqual([]);
  await expectEachOnce(scene().former, tenant, [...before, ...traffic.acknowledged]);
  expect(await reported(tenant)).toBe(before.length + traffic.acknowledged.length);
});

test('what retention deletes during a move is deleted in both cells', async () => {
  const tenant = await newTenant(scene());
  const old = newMessageId();
  const sentAt = JSON.stringify(new Date(Date.now() - 40 * DAY_MS).toISOString());
  await postEvents(scene().ingest, tenant.writeKey, [eventOf(old, { timestamp: sentAt })]);
  const sent = await sendBatch(scene(), tenant);
  await untilDrained(scene().ingest);
  await operatorOf(scene(), tenant).start();
  await runMoves(scene());
  await expectEachOnce(scene().other, tenant, [old, ...sent]);
  await sql(
    `INSERT INTO retention_rules (id, workspace_id, dataset, keep_days, effective_at, created_by)
     VALUES (gen_random_uuid(), $1, 'EVENTS', 30, now(), 'owner')`,
    [tenant.workspaceId],
    scene().databaseUrl,
  );
  const { deps } = scene();
  const context = createContext(deps, 'test', undefined);
  const dueAt = new Date(deps.clock.nowMs()).toISOString();
  await enforceRetention.run(context, { dueAt }, new AbortController().signal);
  await context.finish();
  await expectEachOnce(scene().former, tenant, sent);
  await expectEachOnce(scene().other, tenant, sent);
});

test('an analyst login moves with its workspace', async () => {
  const { deps, former, other } = scene();
  const tenant = await newTenant(scene());
  const context = contextOf(deps, tenant);
  await runAction(context, analystLoginCreate, { name: 'Metabase' });
  await context.finish();
  const loginsIn = async (cell: string, clickhouse: OwnClickHouse) => {
    await applyAnalystLoginsOf(deps, { cell, url: deps.config.clickhouseUrls[cell]! });
    return clickhouse.rows(LOGINS_QUESTION);
  };
  expect(await loginsIn('default', former)).toHaveLength(1);
  expect(await loginsIn(OTHER_CELL, other)).toEqual([]);
  await operatorOf(scene(), tenant).start();
  await runMoves(scene());
  expect(await loginsIn(OTHER_CELL, other)).toHaveLength(1);
  expect(await loginsIn('default', former)).toEqual([]);
});

async function expectMove(tenant: Tenant, expected: Partial<StoredMove>): Promise<void> {
  const move = await moveOf(scene(), tenant);
  expect(move, JSON.stringify(move)).toMatchObject(expected);
}

async function expectEachOnce(
  clickhouse: OwnClickHouse,
  { workspaceId }: Tenant,
  sent: readonly string[],
): Promise<void> {
  await eventually(async () =>
    expect(await tally(clickhouse, 'events', workspaceId, sent)).toEqual(EACH_ONCE),
  );
}

/** The number of events that the API's reports read. */
async function reported(tenant: Tenant): Promise<number> {
  const { deps } = scene();
  const { viewer } = contextOf(deps, tenant);
  const [row] = await deps.warehouses.ask<{ found: number }>({
    organizationId: viewer!.organizationId,
    workspaceId: tenant.workspaceId,
    query: 'SELECT count() AS found FROM events WHERE workspace_id = {workspaceId:UUID}',
  });
  return Number(row?.found);
}

async function auditedActions({ workspaceId }: Tenant): Promise<unknown[]> {
  const entries = await sql(
    "SELECT action FROM audit_log WHERE workspace_id = $1 AND action LIKE 'cell_move.%' ORDER BY id",
    [workspaceId],
    scene().databaseUrl,
  );
  return entries.map(({ action }) => action);
}

/** The number of rows of the views that have some. */
async function rowsIn(clickhouse: OwnClickHouse, { workspaceId }: Tenant) {
  const counts: Record<string, number> = {};
  for (const view of ['events', 'events_raw', 'rejected_events', 'deliveries', 'activity_cards']) {
    const [row] = await clickhouse.rows<{ found: string }>(
      `SELECT count() AS found FROM ${view} WHERE workspace_id = {workspaceId:UUID}`,
      { workspaceId },
    );
    if (Number(row?.found) > 0) counts[view] = Number(row?.found);
  }
  return counts;
}
