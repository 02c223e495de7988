// A primary of Postgres is lost while both programs write to it, and its synchronous replica takes over.

import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ALL_ENTITIES } from '../../graphql-api/app/all-entities.ts';
import { isConnectionError } from '../../graphql-api/platform/connection-error.ts';
import { openDatabase } from '../../graphql-api/platform/database/database.ts';
import { migrate } from '../../migrations/migrate.ts';
import { type ApiProcess, startApi } from '../graphql-api/harness/api-process.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { batchText, eventOf, newMessageId } from '../harness/batch.ts';
import { JSON_TYPE, untilKnown } from '../harness/batch-client.ts';
import { EACH_ONCE, sharedWarehouse, tally } from '../harness/copies.ts';
import { newIosToken } from '../harness/device.ts';
import { eventually } from '../harness/eventually.ts';
import { type Answer, send } from '../harness/http.ts';
import { postJson } from '../harness/in-app.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { type MovingAddress, movingAddress } from '../harness/moving-address.ts';
import { hasPgbouncer, startPgbouncer } from '../harness/pgbouncer.ts';
import {
  hasPostgresServer,
  type PostgresServer,
  startPostgresServer,
} from '../harness/postgres-server.ts';
import { createTenant, sql, type Tenant } from '../harness/tenant.ts';
import { CAMPAIGN_CREATE, repeat } from './harness/steady-load.ts';

const PER_SECOND = { batches: 20, devices: 10, mutations: 10 };
/** Of each kind, after each step. */
const REQUESTS_PER_STEP = 10;
const EVENTS_PER_BATCH = 5;
const RETRY_MS = 50;

if (!hasPostgresServer())
  process.stdout.write('failover: skipped, because Debian’s postgresql is not installed\n');

describe.skipIf(!hasPostgresServer())('when the primary of Postgres is lost', () => {
  let primary: PostgresServer;
  let replica: PostgresServer;
  let address: MovingAddress;
  let api: ApiProcess;
  let ingest: IngestProcess;
  beforeAll(async () => {
    primary = await startPostgresServer();
    await migrate({ databaseUrl: primary.urls.owner, clickhouseUrls: {}, log: () => undefined });
    replica = await primary.replica();
    // A commit is acknowledged only when the replica has it.
    await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await primary.query('SELECT pg_reload_conf()');
    address = await movingAddress();
    address.pointTo(primary.urls.owner);
    const env = {
      DATABASE_APP_URL: through(address, primary.urls.app),
      DATABASE_SYSTEM_URL: through(address, primary.urls.system),
    };
    [api, ingest] = await Promise.all([
      startApi({ env, areRefusalsRepeated: false }),
      startIngest({ env }),
    ]);
  });
  afterAll(async () => {
    const codes = [await api?.stop(), (await ingest?.stop())?.code];
    await address?.close();
    await Promise.all([primary?.kill9(), replica?.kill9()]);
    expect(codes).toEqual([0, 0]);
  });

  test.skipIf(!hasPgbouncer())(
    'a server behind pgbouncer that becomes a standby is unavailable',
    async () => {
      const moved = await movingAddress();
      onTestFinished(() => moved.close());
      moved.pointTo(primary.urls.app);
      const { owner, app, system } = primary.urls;
      const urls = {
        owner: through(moved, owner),
        app: through(moved, app),
        system: through(moved, system),
      };
      const pgbouncer = await startPgbouncer({ urls });
      onTestFinished(() => pgbouncer.stop());
      const database = await openDatabase({
        urls: pgbouncer.urls,
        poolMax: 2,
        entities: ALL_ENTITIES,
        log: { warn: () => undefined },
      });
      onTestFinished(() => database.close());
      const change = () => database.asSystem(em => em.execute('SELECT 1'));
      await change();
      // The connection to pgbouncer stays.
      moved.pointTo(replica.urls.app);
      await eventually(() => expect(pgbouncer.log()).toContain('server conn crashed'));
      const error = await change().catch((refusal: unknown) => refusal);
      expect(error).toMatchObject({ message: expect.stringContaining('during recovery') });
      expect(isConnectionError(error)).toBe(true);
      moved.pointTo(primary.urls.app);
      await eventually(change);
    },
  );

  test('what was acknowledged is stored once, and both programs recover', async () => {
    const tenant = await createTenant({ databaseUrl: primary.urls.owner });
    await untilKnown(ingest, tenant.writeKey);
    const load = startLoad({ api, ingest }, tenant, await tokenFor(tenant.organizationId));
    await load.progress('batches', 'devices', 'mutations');

    await primary.kill9();
    // The name points to the replica before it accepts changes, or to a former primary that no longer does.
    address.pointTo(replica.urls.owner);
    await load.progress('batches', 'refusals');
    await replica.query('SELECT pg_promote()');
    await load.progress('batches', 'devices', 'mutations');

    const sent = await load.stop();
    expect(sent.failures).toEqual([]);
    const { workspaceId } = tenant;
    const stored = async (column: string, table: string) => {
      const text = `SELECT ${column} AS id FROM ${table} WHERE workspace_id = $1`;
      return (await sql(text, [workspaceId], replica.urls.owner))
        .map(({ id }) => String(id))
        .sort();
    };
    expect(await stored('name', 'campaigns')).toEqual(sent.campaigns.sort());
    expect(await stored('token', 'devices')).toEqual(sent.devices.sort());
    await eventually(async () => {
      expect(await tally(sharedWarehouse, 'events', workspaceId, sent.messageIds)).toEqual(
        EACH_ONCE,
      );
      expect(await stored('user_id', 'contacts')).toEqual(sent.people.sort());
    });
  });
});

function through(address: MovingAddress, databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.port = new URL(address.url).port;
  return url.href;
}

type Sent = Readonly<
  Record<'messageIds' | 'people' | 'devices' | 'campaigns' | 'failures', string[]>
>;

type Programs = { readonly api: ApiProcess; readonly ingest: IngestProcess };

/** Requests that are refused with 503 are repeated. Each has an ID that makes a repeat harmless. */
function startLoad({ api, ingest }: Programs, tenant: Tenant, token: string) {
  const sent: Sent = { messageIds: [], people: [], devices: [], campaigns: [], failures: [] };
  const counts = { batches: 0, devices: 0, mutations: 0, refusals: 0 };
  const untilAccepted = async (
    kind: 'batches' | 'devices' | 'mutations',
    post: () => Promise<Answer>,
  ) => {
    for (;;) {
      const answer = await post();
      if (answer.status === 503 && kind !== 'batches') {
        if (kind === 'mutations') counts.refusals++;
        await wait(RETRY_MS);
        continue;
      }
      counts[kind]++;
      if (answer.status !== 200 || /"(?:errors|code)":/.test(answer.text))
        sent.failures.push(`${kind} ${answer.status} ${answer.text}`);
      return;
    }
  };
  const load = [
    repeat(PER_SECOND.batches, sent.failures, () => {
      const ids = Array.from({ length: EVENTS_PER_BATCH }, newMessageId);
      const person = `person of ${ids[0]}`;
      sent.messageIds.push(...ids);
      sent.people.push(person);
      const identify = { type: '"identify"', event: undefined, userId: JSON.stringify(person) };
      const events = ids.map((id, index) => eventOf(id, index === 0 ? identify : {}));
      const body = batchText(tenant.writeKey, events);
      return untilAccepted('batches', () =>
        send(`${ingest.url}/v1/batch`, { body, headers: JSON_TYPE }),
      );
    }),
    repeat(PER_SECOND.devices, sent.failures, () => {
      const device = newIosToken();
      sent.devices.push(device);
      const fields = { device_token: device, platform: 'ios' };
      return untilAccepted('devices', () =>
        postJson(ingest, tenant, '/v1/devices/register', fields),
      );
    }),
    repeat(PER_SECOND.mutations, sent.failures, () => {
      const key = `campaign ${sent.campaigns.length}`;
      sent.campaigns.push(key);
      const variables = { key, input: { name: key, type: 'BANNER' } };
      const body = JSON.stringify({ query: CAMPAIGN_CREATE, variables });
      const headers = { ...JSON_TYPE, authorization: `Bearer ${token}` };
      return untilAccepted('mutations', () => send(`${api.url}/graphql`, { body, headers }));
    }),
  ];
  return {
    /** Resolves after more requests of these kinds. */
    async progress(...kinds: readonly (keyof typeof counts)[]) {
      const before = { ...counts };
      await eventually(() => {
        for (const kind of kinds)
          expect(counts[kind] - before[kind], kind).toBeGreaterThanOrEqual(REQUESTS_PER_STEP);
      });
    },
    async stop() {
      await Promise.all(load.map(part => part.stop()));
      return sent;
    },
  };
}
