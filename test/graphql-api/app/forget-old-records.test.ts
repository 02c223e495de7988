import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { forgetOldRecords } from '../../../graphql-api/app/forget-old-records.job.ts';
import { createContext } from '../../../graphql-api/platform/context.ts';
import type { GatewaySecretField } from '../../../schema/gateway/secret-place.ts';
import { newSecret, putWorkspaceSecret } from '../../harness/gateway-webhook.ts';
import { createTenant, sql } from '../../harness/tenant.ts';
import { useDeps } from '../harness/deps.ts';

const deps = useDeps();
const HOUR_MS = 60 * 60 * 1000;

test('expired idempotency records and old job runs are deleted', async () => {
  const nowMs = Date.now();
  deps().clock.setMs(nowMs);
  const { organizationId } = await createTenant();
  const ago = (hours: number) => new Date(nowMs - hours * HOUR_MS);
  for (const [key, hours] of [
    ['old', 24.1],
    ['recent', 23.9],
  ] as const) {
    await sql(
      `INSERT INTO idempotency_records (organization_id, operation, key, request_hash, created_at)
       VALUES ($1, 'op', $2, '', $3)`,
      [organizationId, key, ago(hours)],
    );
  }
  // With their own job names, because other tests use the same table.
  const [often, once] = [`often-${uuidv7()}`, `once-${uuidv7()}`];
  for (const [job, days] of [
    [often, 120],
    [often, 100],
    [often, 1],
    [once, 400],
  ] as const) {
    await sql('INSERT INTO job_runs (job, due_at) VALUES ($1, $2)', [job, ago(days * 24)]);
  }
  const context = createContext(deps(), uuidv7(), undefined);
  const data = { dueAt: new Date(nowMs).toISOString() };
  await forgetOldRecords.run(context, data, new AbortController().signal);

  expect(
    await sql('SELECT key FROM idempotency_records WHERE organization_id = $1', [organizationId]),
  ).toEqual([{ key: 'recent' }]);
  // The latest run is kept regardless of its age: without it, the job would count as new.
  expect(
    await sql('SELECT job, due_at FROM job_runs WHERE job = ANY($1) ORDER BY due_at', [
      [often, once],
    ]),
  ).toEqual([
    { job: once, due_at: ago(400 * 24) },
    { job: often, due_at: ago(24) },
  ]);
});

test('a gateway secret is deleted when its overlap ends', async () => {
  const nowMs = Date.now();
  deps().clock.setMs(nowMs);
  const tenant = await createTenant();
  const put = (field: GatewaySecretField, expiresAt?: Date) => {
    const generation = expiresAt === undefined ? 'CURRENT' : 'PREVIOUS';
    const secret = newSecret();
    return putWorkspaceSecret({
      ...tenant,
      secret,
      field,
      generation,
      ...(expiresAt && { expiresAt }),
    });
  };
  await put('webhook_secret');
  await put('webhook_secret', new Date(nowMs - 1));
  await put('abandoned_checkout_secret', new Date(nowMs + HOUR_MS));
  const context = createContext(deps(), uuidv7(), undefined);
  const data = { dueAt: new Date(nowMs).toISOString() };
  await forgetOldRecords.run(context, data, new AbortController().signal);
  const rows = await sql(
    'SELECT field, generation FROM gateway_secrets WHERE workspace_id = $1 ORDER BY field',
    [tenant.workspaceId],
  );
  expect(rows).toEqual([
    { field: 'abandoned_checkout_secret', generation: 'PREVIOUS' },
    { field: 'webhook_secret', generation: 'CURRENT' },
  ]);
});

test('an aborted job stops', async () => {
  const context = createContext(deps(), uuidv7(), undefined);
  const data = { dueAt: new Date().toISOString() };
  const run = forgetOldRecords.run(context, data, AbortSignal.abort(new Error('stop')));
  await expect(run).rejects.toThrow('stop');
});

test('invalid job data is refused', async () => {
  const context = createContext(deps(), uuidv7(), undefined);
  const run = async () => forgetOldRecords.run(context, {}, new AbortController().signal);
  await expect(run()).rejects.toThrow('dueAt');
});

test('deliveries are deleted 30 days after their end, and events once they have no deliveries', async () => {
  const nowMs = Date.now();
  deps().clock.setMs(nowMs);
  const { workspaceId } = await createTenant();
  const ago = (days: number) => new Date(nowMs - days * 24 * HOUR_MS);
  const put = async (name: string, { made, ended }: { made: number; ended?: number }) => {
    const [eventId, deliveryId] = [uuidv7(), uuidv7()];
    await sql(
      `INSERT INTO outbound_events
         (id, workspace_id, type, payload, occurred_at, created_at, fanned_out_at)
       VALUES ($1, $2, $3, '{}', $4, $4, $4)`,
      [eventId, workspaceId, name, ago(made)],
    );
    // For a deleted endpoint, and due in a year, so that no process claims it.
    await sql(
      `INSERT INTO webhook_deliveries (id, workspace_id, endpoint_id, event_id, event_type, state,
         next_attempt_at, finished_at, created_at)
       VALUES ($1, $2, $3, $4, $5, CASE WHEN $6::timestamptz IS NULL THEN 'PENDING' ELSE 'FAILED' END,
         CASE WHEN $6::timestamptz IS NULL THEN now() + interval '1 year' END, $6, $7)`,
      [deliveryId, workspaceId, uuidv7(), eventId, name, ended ? ago(ended) : null, ago(made)],
    );
    await sql(
      `INSERT INTO webhook_attempts
         (delivery_id, workspace_id, number, cause, attempted_at, outcome, latency_ms)
       VALUES ($1, $2, 1, 'SCHEDULED', $3, 'TIMED_OUT', 20000)`,
      [deliveryId, workspaceId, ago(made)],
    );
  };
  await put('old', { made: 40, ended: 31 });
  await put('ended lately', { made: 40, ended: 29 });
  await put('not ended', { made: 40 });
  await put('recent', { made: 1, ended: 1 });
  await sql(
    `INSERT INTO outbound_events
       (id, workspace_id, type, payload, occurred_at, created_at, fanned_out_at)
     VALUES ($1, $2, 'for nobody', '{}', $3, $3, $3)`,
    [uuidv7(), workspaceId, ago(31)],
  );
  const [oldName, recentName] = [uuidv7(), uuidv7()];
  await sql('INSERT INTO delivery_names (name, created_at) VALUES ($1, $2), ($3, $4)', [
    oldName,
    ago(31),
    recentName,
    ago(29),
  ]);
  const context = createContext(deps(), uuidv7(), undefined);
  const data = { dueAt: new Date(nowMs).toISOString() };
  await forgetOldRecords.run(context, data, new AbortController().signal);

  const names = 'SELECT name FROM delivery_names WHERE name = ANY ($1)';
  expect(await sql(names, [[oldName, recentName]])).toEqual([{ name: recentName }]);
  const left = async (table: string, column: string) =>
    (
      await sql(`SELECT ${column} AS name FROM ${table} WHERE workspace_id = $1 ORDER BY 1`, [
        workspaceId,
      ])
    ).map(({ name }) => name);
  const kept = ['ended lately', 'not ended', 'recent'];
  expect(await left('webhook_deliveries', 'event_type')).toEqual(kept);
  expect(await left('outbound_events', 'type')).toEqual(kept);
  expect(await left('webhook_attempts', 'number')).toHaveLength(kept.length);
});
