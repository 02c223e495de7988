// Manual operations of platform admins: failed jobs, and rows that ingest refused.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { JOB_QUEUE_SCHEMA } from '../../../schema/environment/job-queue.ts';
import { eventually } from '../../harness/eventually.ts';
import { cardRow } from '../../harness/internal.ts';
import type { Tenant } from '../../harness/tenant.ts';
import { rows } from '../../harness/warehouse.ts';
import type { ApiProcess } from '../harness/api-process.ts';
import { type Asker, ask, mutate, refusals, tryMutation } from '../harness/mutate.ts';
import { createDeadLetter, createRefusedRow } from '../harness/operations.ts';
import { type OutboxScene, outboxScene } from '../platform/warehouse/outbox-scene.ts';

let scene: OutboxScene;
let api: ApiProcess;
beforeAll(async () => {
  scene = await outboxScene();
  api = await scene.startApi();
});
afterAll(() => scene?.close());

const JOB = 'forget-old-records';

async function admin(): Promise<Asker & { readonly tenant: Tenant }> {
  return { api, tenant: await scene.createTenant(), role: 'platform_admin' };
}

function deadLetter(options: { job?: string; data?: object } = {}): Promise<string> {
  return createDeadLetter({ ...options, databaseUrl: scene.deps.config.databaseUrls.system });
}

async function isDead(id: string): Promise<boolean> {
  const found = await scene.query(`SELECT FROM ${JOB_QUEUE_SCHEMA}.job WHERE id = $1`, [id]);
  return found.length === 1;
}

function letters(...ids: readonly string[]) {
  return { input: { ids: ids.map(id => encodeNodeId('DeadLetter', id)) } };
}

describe('deadLetterRedrive', () => {
  test('retries a job with a full set of attempts, and is in the audit log', async () => {
    const asker = await admin();
    const mark = new Date(Date.now() - Math.floor(Math.random() * 1e12)).toISOString();
    const [id, other] = [await deadLetter({ data: { dueAt: mark } }), await deadLetter()];
    const shown = await mutate(asker, 'deadLetterRedrive', letters(id), 'redriven hasMore');
    expect(shown).toMatchObject({ redriven: 1, hasMore: false });
    expect([await isDead(id), await isDead(other)]).toEqual([false, true]);
    await eventually(async () => {
      const runs = await scene.query(
        `SELECT name, state::text, retry_count FROM ${JOB_QUEUE_SCHEMA}.job WHERE data->>'dueAt' = $1`,
        [mark],
      );
      expect(runs).toEqual([{ name: JOB, state: 'completed', retry_count: 0 }]);
    });
    const { platformAuditEntries } = await ask<{ platformAuditEntries: { nodes: object[] } }>(
      asker,
      `query ($id: ID!) { platformAuditEntries(first: 5, subjectId: $id) {
         nodes { action subjectType after organizationId } } }`,
      { id: encodeNodeId('DeadLetter', id) },
    );
    expect(platformAuditEntries.nodes).toEqual([
      {
        action: 'dead_letter.redrive',
        subjectType: 'dead_letter',
        after: { job: JOB },
        organizationId: null,
      },
    ]);
  });

  test('retries the failures of one job, oldest first, a hundred at a time', async () => {
    const asker = await admin();
    const other = await deadLetter({ job: 'replay-rejected-events' });
    const newest = await deadLetter();
    await scene.query(
      `INSERT INTO ${JOB_QUEUE_SCHEMA}.job (id, name, data, source_name, source_id, created_on)
       SELECT gen_random_uuid(), name, data, source_name, gen_random_uuid(), created_on - interval '1 day'
       FROM ${JOB_QUEUE_SCHEMA}.job, generate_series(1, 100) WHERE id = $1`,
      [newest],
    );
    const redrive = () =>
      mutate<{ redriven: number; hasMore: boolean }>(
        asker,
        'deadLetterRedrive',
        { input: { job: JOB } },
        'redriven hasMore',
      );
    expect(await redrive()).toMatchObject({ redriven: 100, hasMore: true });
    expect(await isDead(newest)).toBe(true);
    // Another test in this file may have left one.
    expect(await redrive()).toMatchObject({ hasMore: false });
    expect([await isDead(newest), await isDead(other)]).toEqual([false, true]);
    expect(await redrive()).toMatchObject({ redriven: 0, hasMore: false });
  });

  test('retries all of them or none', async () => {
    const asker = await admin();
    const [known, orphaned] = [await deadLetter(), await deadLetter({ job: 'of-an-old-release' })];
    const missing = await refusals(asker, 'deadLetterRedrive', letters(known, randomUUID()));
    expect(missing).toEqual(['NOT_FOUND input.ids']);
    const unknown = await refusals(asker, 'deadLetterRedrive', letters(known, orphaned));
    expect(unknown).toEqual(['JOB_UNKNOWN input.ids']);
    expect([await isDead(known), await isDead(orphaned)]).toEqual([true, true]);
  });

  test('succeeds once for two concurrent requests', async () => {
    const asker = await admin();
    const id = await deadLetter();
    const answers = await Promise.all(
      [1, 2, 3].map(() => tryMutation(asker, 'deadLetterRedrive', letters(id), 'redriven')),
    );
    const redriven = answers.map(({ data }) => (data!.deadLetterRedrive as Redriven).redriven);
    expect(redriven.filter(count => count !== null)).toEqual([1]);
  });

  test('accepts either IDs or a job', async () => {
    const asker = await admin();
    for (const input of [{}, { ...letters(randomUUID()).input, job: JOB }, { ids: [] }])
      expect(await refusals(asker, 'deadLetterRedrive', { input })).toHaveLength(1);
  });
});

type Redriven = { readonly redriven: number | null };

type Refused = { readonly id: string; readonly reason: string; readonly attempts: number };

async function refusedRows(asker: Asker): Promise<readonly Refused[]> {
  const { refusedOutboxRows } = await ask<{ refusedOutboxRows: { nodes: Refused[] } }>(
    asker,
    `{ refusedOutboxRows(first: 100) {
         nodes { id workspaceId table row reason attempts createdAt failedAt } } }`,
  );
  return refusedOutboxRows.nodes;
}

function outboxRows(...ids: readonly string[]) {
  return { input: { ids: ids.map(id => encodeNodeId('OutboxRow', id)) } };
}

describe('rows that ingest rejected', () => {
  test('are listed with the reason, and are stored after a fix and a retry', async () => {
    const asker = await admin();
    const { workspaceId } = asker.tenant;
    const card = cardRow();
    const id = randomUUID();
    // Written by a release that still had this column.
    await scene.query(
      `INSERT INTO ingest_outbox (id, workspace_id, table_name, row)
       VALUES ($1, $2, 'activity_cards_raw', $3)`,
      [id, workspaceId, JSON.stringify({ ...card, colour: 'red' })],
    );
    const globalId = encodeNodeId('OutboxRow', id);
    const listed = await eventually(async () => {
      const found = (await refusedRows(asker)).find(row => row.id === globalId);
      expect(found).toBeDefined();
      return found!;
    });
    expect(listed).toMatchObject({
      workspaceId: encodeNodeId('Workspace', workspaceId),
      table: 'activity_cards_raw',
      row: { card_id: card.card_id, colour: 'red' },
      reason: expect.stringMatching(/^400: .*colour/),
      failedAt: expect.any(String),
    });
    await mutate(asker, 'outboxRowRetry', outboxRows(id), 'ids');
    await eventually(async () =>
      expect((await refusedRows(asker)).find(row => row.id === globalId)).toMatchObject({
        attempts: listed.attempts + 1,
      }),
    );
    await scene.query(`UPDATE ingest_outbox SET row = row - 'colour' WHERE id = $1`, [id]);
    const shown = await mutate(asker, 'outboxRowRetry', outboxRows(id), 'ids');
    expect(shown).toMatchObject({ ids: [globalId] });
    await eventually(async () => {
      const found = await rows<{ card_id: string }>(
        'SELECT card_id FROM activity_cards WHERE workspace_id = {workspaceId:UUID}',
        { workspaceId },
      );
      expect(found).toEqual([{ card_id: card.card_id }]);
    });
    expect((await refusedRows(asker)).map(row => row.id)).not.toContain(globalId);
  });

  test('are removed when discarded, which is in the organization’s audit log', async () => {
    const [asker, owner] = [await admin(), await scene.createTenant()];
    const system = scene.deps.config.databaseUrls.system;
    const [id, kept] = [
      await createRefusedRow(owner, { user_id: 'private' }, system),
      await createRefusedRow(owner, {}, system),
    ];
    await mutate(asker, 'outboxRowDiscard', outboxRows(id), 'ids');
    const left = await scene.query('SELECT id FROM ingest_outbox WHERE workspace_id = $1', [
      owner.workspaceId,
    ]);
    expect(left).toEqual([{ id: kept }]);
    const { auditEntries } = await ask<{ auditEntries: { nodes: object[] } }>(
      { api, tenant: owner },
      '{ auditEntries(first: 5) { nodes { action subjectId before after } } }',
    );
    expect(auditEntries.nodes).toEqual([
      {
        action: 'outbox_row.discard',
        subjectId: encodeNodeId('OutboxRow', id),
        before: { table: 'activity_cards_raw', reason: '400: it is wrong' },
        after: null,
      },
    ]);
  });

  test('are changed all or none, and rows that are being sent are unaffected', async () => {
    const asker = await admin();
    const { tenant } = asker;
    const system = scene.deps.config.databaseUrls.system;
    const refused = await createRefusedRow(tenant, {}, system);
    const onItsWay = randomUUID();
    await scene.query(
      `INSERT INTO ingest_outbox (id, workspace_id, table_name, row, retry_at)
       VALUES ($1, $2, 'activity_cards_raw', '{}', now() + interval '1 hour')`,
      [onItsWay, tenant.workspaceId],
    );
    for (const name of ['outboxRowRetry', 'outboxRowDiscard'])
      expect(await refusals(asker, name, outboxRows(refused, onItsWay))).toEqual([
        'NOT_FOUND input.ids',
      ]);
    const left = await scene.query(
      'SELECT failed_at IS NULL AS waits FROM ingest_outbox WHERE workspace_id = $1 ORDER BY 1',
      [tenant.workspaceId],
    );
    expect(left).toEqual([{ waits: false }, { waits: true }]);
  });

  test('are not visible to owners', async () => {
    const tenant = await scene.createTenant();
    const id = await createRefusedRow(tenant, {}, scene.deps.config.databaseUrls.system);
    for (const name of ['outboxRowRetry', 'outboxRowDiscard']) {
      const answer = await tryMutation({ api, tenant }, name, outboxRows(id), 'ids');
      expect(answer.errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
    }
    expect(await scene.query('SELECT FROM ingest_outbox WHERE id = $1', [id])).toHaveLength(1);
  });
});
