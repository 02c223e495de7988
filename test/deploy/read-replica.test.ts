// DATABASE_READ_URL: two API processes with a primary of Postgres and its asynchronous replica.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../migrations/migrate.ts';
import { type ApiProcess, startApi } from '../graphql-api/harness/api-process.ts';
import { ask, mutate } from '../graphql-api/harness/mutate.ts';
import { eventually } from '../harness/eventually.ts';
import { metrics, sumOf } from '../harness/metrics.ts';
import {
  hasPostgresServer,
  type PostgresServer,
  startPostgresServer,
} from '../harness/postgres-server.ts';
import { startTcpGate, type TcpGate } from '../harness/tcp-gate.ts';
import { createTenant, type Tenant } from '../harness/tenant.ts';

const CHANGES = 20;

if (!hasPostgresServer())
  process.stdout.write('read-replica: skipped, because Debian’s postgresql is not installed\n');

describe.skipIf(!hasPostgresServer())('with a read replica', () => {
  let primary: PostgresServer;
  let replica: PostgresServer;
  /** Between the API and the replica. */
  let gate: TcpGate;
  let processes: readonly [ApiProcess, ApiProcess];
  let tenant: Tenant;
  beforeAll(async () => {
    primary = await startPostgresServer();
    await migrate({ databaseUrl: primary.urls.owner, clickhouseUrls: {}, log: () => undefined });
    replica = await primary.replica();
    gate = await startTcpGate('127.0.0.1', replica.port);
    const read = new URL(replica.urls.app);
    read.port = String(gate.port);
    const env = {
      DATABASE_APP_URL: primary.urls.app,
      DATABASE_SYSTEM_URL: primary.urls.system,
      DATABASE_READ_URL: read.href,
    };
    processes = await Promise.all([startApi({ env }), startApi({ env })]);
    tenant = await createTenant({ databaseUrl: primary.urls.owner });
  });
  afterAll(async () => {
    const codes = await Promise.all((processes ?? []).map(api => api.stop()));
    await Promise.all([primary?.kill9(), replica?.kill9(), gate?.close()]);
    expect(codes).toEqual([0, 0]);
  });

  /** Changes in one process what the other one then reads. */
  async function expectChangesSeen(): Promise<void> {
    const [writer, reader] = processes;
    for (let change = 0; change < CHANGES; change++) {
      const input = { name: `campaign ${change}`, type: 'BANNER' };
      const { campaign } = await mutate<{ campaign: { id: string } }>(
        { api: writer, tenant },
        'campaignCreate',
        { input },
        'campaign { id }',
      );
      const seen = await ask(
        { api: reader, tenant },
        'query ($id: ID!) { campaign(id: $id) { name } }',
        campaign,
      );
      expect(seen).toEqual({ campaign: { name: input.name } });
    }
  }

  async function statementsOnReplica(): Promise<number> {
    const samples = await metrics(processes[1]);
    const name = /^api_postgres_statement_seconds_count$/;
    return sumOf(samples, name, { role: 'service_app_replica' });
  }

  async function expectReplicaUsed(): Promise<void> {
    await eventually(async () => {
      const before = await statementsOnReplica();
      await expectChangesSeen();
      expect(await statementsOnReplica()).toBeGreaterThan(before);
    });
  }

  test('queries run on it, and see each change that any process has acknowledged', () =>
    expectReplicaUsed());

  test('while it is behind, queries run on the primary', async () => {
    await replica.query('SELECT pg_wal_replay_pause()');
    await expectChangesSeen();
    await replica.query('SELECT pg_wal_replay_resume()');
    await expectReplicaUsed();
  });

  test('when it no longer answers, queries run on the primary', async () => {
    gate.setHanging(true);
    await expectChangesSeen();
    gate.setHanging(false);
    await expectReplicaUsed();
  });

  test('when it is lost, queries run on the primary', async () => {
    await replica.kill9();
    await expectChangesSeen();
    expect((await processes[1].rest('/readyz')).status).toBe(200);
    expect(processes[1].logs()).toContain('reads temporarily go to the primary');
  });
});
