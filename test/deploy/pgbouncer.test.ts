// Both programs through pgbouncer in transaction mode, with fewer connections to Postgres than they open
// to it. Consecutive transactions of one connection run in different sessions of Postgres, and one
// session runs those of several organizations.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../migrations/migrate.ts';
import { type Api, type ApiProcess, startApi } from '../graphql-api/harness/api-process.ts';
import { ask, mutate } from '../graphql-api/harness/mutate.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { eventOf, newMessageId } from '../harness/batch.ts';
import { expectAccepted, JSON_TYPE, postEvents, untilKnown } from '../harness/batch-client.ts';
import { EACH_ONCE, sharedWarehouse, tally } from '../harness/copies.ts';
import { newIosToken } from '../harness/device.ts';
import { eventually } from '../harness/eventually.ts';
import {
  expectAcknowledged,
  newSecret,
  paymentEvent,
  postWebhook,
} from '../harness/gateway-webhook.ts';
import { expectSuccess, postJson } from '../harness/in-app.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { ownDatabase } from '../harness/own-database.ts';
import { hasPgbouncer, type Pgbouncer, startPgbouncer } from '../harness/pgbouncer.ts';
import { createTenant, sql, type Tenant } from '../harness/tenant.ts';
import { queueWidget } from '../harness/widget.ts';
import { withinOneWindow } from '../harness/within-one-window.ts';

/** Of each login. */
const SERVER_CONNECTIONS = 2;
/** Of each organization, at the same time. */
const REQUESTS = 20;

if (!hasPgbouncer()) process.stdout.write('pgbouncer: skipped, because it is not installed\n');

describe.skipIf(!hasPgbouncer())('through pgbouncer in transaction mode', () => {
  let direct: Awaited<ReturnType<typeof ownDatabase>>;
  let pgbouncer: Pgbouncer;
  let env: Readonly<Record<string, string>>;
  beforeAll(async () => {
    direct = await ownDatabase();
    pgbouncer = await startPgbouncer({ urls: direct, poolSize: SERVER_CONNECTIONS });
    env = { DATABASE_APP_URL: pgbouncer.urls.app, DATABASE_SYSTEM_URL: pgbouncer.urls.system };
  });
  afterAll(() => pgbouncer?.stop());

  const query = (text: string, values: unknown[] = []) => sql(text, values, direct.owner);
  const newTenant = (minuteCap?: number) =>
    createTenant({ databaseUrl: direct.owner, ...(minuteCap && { minuteCap }) });

  test('migrations refuse a pooler', async () => {
    const options = { databaseUrl: pgbouncer.urls.owner, clickhouseUrls: {}, log: () => undefined };
    await expect(migrate(options)).rejects.toThrow('Set it to the address of Postgres itself');
  });

  describe('the API', () => {
    let api: ApiProcess;
    beforeAll(async () => {
      api = await startApi({
        areRefusalsRepeated: false,
        env: { ...env, DATABASE_POOL_MAX: '8' },
      });
    });
    afterAll(async () => {
      expect(await api?.stop()).toBe(0);
    });

    const createCampaign = (tenant: Tenant, name: string) =>
      mutate({ api, tenant }, 'campaignCreate', { input: { name, type: 'BANNER' } }, '__typename');

    test('organizations that share connections see only their own rows', async () => {
      const tenants = await Promise.all(Array.from({ length: 4 }, () => newTenant()));
      const use = async (tenant: Tenant) => {
        await createCampaign(tenant, tenant.workspaceId);
        const { campaigns } = await ask<{ campaigns: { nodes: object[] } }>(
          { api, tenant },
          '{ campaigns(first: 50) { nodes { name } } }',
        );
        const names = new Set(campaigns.nodes.map(node => (node as { name: string }).name));
        expect([...names]).toEqual([tenant.workspaceId]);
      };
      const requests = Array.from({ length: REQUESTS }, () => tenants.map(use));
      await Promise.all(requests.flat());
      const sessions = await query(
        `SELECT usename FROM pg_stat_activity WHERE usename = 'service_app' AND datname = current_database()`,
      );
      expect(sessions).toHaveLength(SERVER_CONNECTIONS);
    });

    test('a payment that is sent repeatedly is booked once', async () => {
      const [referrer, referee] = [await newTenant(), await newTenant()];
      await query('INSERT INTO partner_profiles (organization_id) VALUES ($1)', [
        referrer.organizationId,
      ]);
      const call = async ({ organizationId }: Tenant, path: string, body?: object) =>
        api.rest(path, {
          token: await tokenFor(organizationId),
          ...(body && {
            method: 'POST',
            headers: JSON_TYPE,
            body: JSON.stringify(body),
          }),
        });
      const { code } = (await call(referrer, '/api/v1/billing/referral')).json();
      expect((await call(referee, '/api/v1/referrals/attribution', { code })).status).toBe(200);
      const organizationId = Buffer.from(`Organization:${referee.organizationId}`).toString(
        'base64',
      );
      const paymentId = `payment of ${referee.organizationId}`;
      const input = { paymentId, organizationId, amount: '1000.00', currency: 'INR' };
      const admin = { api, tenant: referee, role: 'platform_admin' } as const;
      const pay = () => mutate(admin, 'paymentRecord', { input }, '__typename');
      await Promise.all(Array.from({ length: REQUESTS }, pay));
      const wallet = (await call(referrer, '/api/v1/referrals/wallet')).json();
      expect(wallet).toMatchObject({ credits_pending: 100 });
    });

    /** Counts its events in a job. */
    async function completeExport(tenant: Tenant, by: Api = api): Promise<void> {
      const token = await tokenFor(tenant.organizationId);
      const range = { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' };
      const made = await by.rest('/api/v1/exports', {
        method: 'POST',
        token,
        headers: JSON_TYPE,
        body: JSON.stringify({ range, format: 'json_lines' }),
      });
      const { id } = made.json().export as { id: string };
      await eventually(async () => {
        const shown = (await by.rest(`/api/v1/exports/${id}`, { token })).json();
        expect(shown.export).toMatchObject({ state: 'completed' });
      });
    }

    test('jobs run', async () => {
      await completeExport(await newTenant());
    });

    test('a login that has to switch its role is sufficient', async () => {
      const other = await startApi({
        env: { DATABASE_URL: pgbouncer.urls.owner, DATABASE_APP_URL: '', DATABASE_SYSTEM_URL: '' },
      });
      onTestFinished(async () => void (await other.stop()));
      const [mine, others] = [await newTenant(), await newTenant()];
      await createCampaign(others, 'of another organization');
      await completeExport(mine, other);
      const shown = await ask(
        { api: other, tenant: mine },
        '{ campaigns(first: 1) { nodes { id } } }',
      );
      expect(shown).toEqual({ campaigns: { nodes: [] } });
    });

    test('it recovers when pgbouncer restarts', async () => {
      const tenant = await newTenant();
      await createCampaign(tenant, 'before');
      await pgbouncer.stop();
      const token = await tokenFor(tenant.organizationId);
      const answer = await api.rest('/api/v1/workspaces/current', { token });
      expect(answer.status).toBe(503);
      await pgbouncer.start();
      await eventually(() => createCampaign(tenant, 'after'));
      await eventually(() => completeExport(tenant));
      await eventually(async () => expect((await api.rest('/readyz')).status).toBe(200));
    });
  });

  describe('ingest', () => {
    const secret = newSecret();
    let ingest: IngestProcess;
    beforeAll(async () => {
      ingest = await startIngest({
        env: {
          DATABASE_SYSTEM_URL: pgbouncer.urls.system,
          GATEWAY_WEBHOOK_SECRET: secret,
          GATEWAY_ABANDONED_CHECKOUT_SECRET: secret,
        },
      });
    });
    afterAll(() => ingest?.stop());

    async function liveTenant(minuteCap?: number): Promise<Tenant> {
      const tenant = await newTenant(minuteCap);
      await untilKnown(ingest, tenant.writeKey);
      return tenant;
    }

    test('events, people, devices, widgets and webhooks are stored once', async () => {
      const tenant = await liveTenant();
      const { writeKey, workspaceId } = tenant;
      const ids = Array.from({ length: 100 }, newMessageId);
      const events = ids.map(id => eventOf(id));
      const identify = eventOf(newMessageId(), {
        type: '"identify"',
        event: undefined,
        userId: '"ann"',
      });
      expectAccepted(await postEvents(ingest, writeKey, events), ids.length);
      expectAccepted(await postEvents(ingest, writeKey, [identify]), 1);
      const device = { device_token: newIosToken(), platform: 'ios', user_id: 'ann' };
      const widget = await queueWidget(tenant, { databaseUrl: direct.owner });
      const payment = paymentEvent();
      for (let times = 0; times < 2; times++) {
        expectAccepted(await postEvents(ingest, writeKey, events), ids.length);
        const registered = await postJson(ingest, tenant, '/v1/devices/register', device);
        expect(registered.status, registered.text).toBe(200);
        const path = `/v1/in-app/widgets/${widget.stepExecutionId}/ack`;
        expectSuccess(await postJson(ingest, tenant, path, { action: 'clicked' }));
        expectAcknowledged(await postWebhook(ingest, payment.text, { secret }));
      }
      await eventually(async () => {
        expect(await tally(sharedWarehouse, 'events', workspaceId, ids)).toMatchObject({
          missing: [],
          doubled: [],
        });
        expect(
          await rowsWith('contacts', `user_id = 'ann' AND workspace_id = $1`, workspaceId),
        ).toBe(1);
      });
      expect(await rowsWith('devices', 'workspace_id = $1', workspaceId)).toBe(1);
      expect(
        await rowsWith('journey_signals', 'step_execution_id = $1', widget.stepExecutionId),
      ).toBe(1);
      expect(await rowsWith('gateway_events', 'strpos(event_key, $1) > 0', payment.id)).toBe(1);
    });

    async function rowsWith(table: string, condition: string, value: string): Promise<unknown> {
      const [row] = await query(`SELECT count(*)::int FROM ${table} WHERE ${condition}`, [value]);
      return row!.count;
    }

    test('quotas are exact', () =>
      withinOneWindow(async () => {
        const { writeKey } = await liveTenant(50);
        const post = () => postEvents(ingest, writeKey, [eventOf(newMessageId())]);
        const answers = await Promise.all(Array.from({ length: 80 }, post));
        const statuses = answers.map(({ status }) => status);
        expect(statuses.filter(status => status === 200)).toHaveLength(50);
        expect(statuses.filter(status => status === 429)).toHaveLength(30);
      }));

    test('it recovers when pgbouncer restarts', async () => {
      const tenant = await liveTenant();
      const ids: string[] = [];
      const accept = async () => {
        const id = newMessageId();
        expectAccepted(await postEvents(ingest, tenant.writeKey, [eventOf(id)]), 1);
        ids.push(id);
      };
      await accept();
      await pgbouncer.stop();
      await accept();
      await pgbouncer.start();
      await accept();
      const device = () => ({ device_token: newIosToken(), platform: 'ios' });
      await eventually(async () => {
        const answer = await postJson(ingest, tenant, '/v1/devices/register', device());
        expect(answer.status).toBe(200);
      });
      // A new key becomes known, so changes are followed again.
      await liveTenant();
      await eventually(async () =>
        expect(await tally(sharedWarehouse, 'events', tenant.workspaceId, ids)).toEqual(EACH_ONCE),
      );
    });
  });
});
