// The last release and this one, side by side on one database and one spool, in both directions.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@clickhouse/client';
import { afterAll, describe, expect, test } from 'vitest';
import { API_NODE_ARGS } from '../../embedded/api-node-args.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { batchText, eventOf, newMessageId } from '../harness/batch.ts';
import { JSON_TYPE, untilKnown } from '../harness/batch-client.ts';
import { newIosToken } from '../harness/device.ts';
import { engines } from '../harness/engines.ts';
import { apiEnvironment, ingestEnvironment } from '../harness/environments.ts';
import { eventually } from '../harness/eventually.ts';
import { newSecret, paymentEvent, postWebhook } from '../harness/gateway-webhook.ts';
import { type Answer, send } from '../harness/http.ts';
import { postJson } from '../harness/in-app.ts';
import { type Program, startProgram } from '../harness/program.ts';
import { newDirectory } from '../harness/run-directory.ts';
import { sql, type Tenant } from '../harness/tenant.ts';
import { rowsOf } from '../migrations/new-warehouse.ts';
import { newDatabases } from '../migrations/sample-migrations.ts';
import { lastRelease, unpackRelease } from './harness/last-release.ts';
import { CAMPAIGN_CREATE, repeat } from './harness/steady-load.ts';

const isLong = process.env.TEST_LONG === '1';
/** How often the new release is rolled back and started again. */
const ROUNDS = isLong ? 5 : 1;
/** Of each kind, after each step. */
const REQUESTS_PER_STEP = isLong ? 100 : 10;
const PER_SECOND = { batches: 20, devices: 5, webhooks: 5, mutations: 5 };
const EVENTS_PER_BATCH = 5;
/** A refused request is sent to the next node; one of them always runs. */
const ATTEMPTS_MAX = 10;

const THIS = join(import.meta.dirname, '..', '..');
const LAST = lastRelease();
if (LAST === undefined)
  process.stdout.write('two-releases: skipped, because the history has no earlier release\n');

describe.skipIf(LAST === undefined)('the last release and this one', () => {
  const running = new Set<Program>();
  afterAll(async () => {
    await Promise.all([...running].map(program => program.end('SIGKILL')));
  });

  test('replace each other without losing, doubling or refusing anything', async () => {
    const site = await newSite();
    const last = await unpackRelease(LAST!);
    await site.migrate(last);
    const tenant = await site.createTenant(last);
    const spools = await Promise.all(['a', 'b'].map(name => newDirectory(`spool-${name}`)));
    const [first, second] = spools as [string, string];

    let ingest = await site.startIngest(last, first);
    let api = await site.startApi(last);
    await untilKnown(ingest, tenant.writeKey);
    const load = startLoad(site, tenant, await tokenFor(tenant.organizationId));
    await load.progress();
    await site.migrate(THIS);
    await load.progress();

    // What is in the first spool is delivered by a later node on it.
    for (let round = 0; round <= ROUNDS; round++) {
      const beside = await site.startIngest(THIS, second);
      const newApi = await site.startApi(THIS);
      await load.progress();
      await site.kill(ingest);
      await site.stop(api);
      const taken = await site.startIngest(THIS, first);
      await load.progress();
      if (round === ROUNDS) break;

      // Back: the last release takes over what the new one has not delivered.
      const oldApi = await site.startApi(last);
      await site.kill(beside);
      const oldBeside = await site.startIngest(last, second);
      await load.progress();
      await site.kill(taken);
      await site.stop(newApi);
      ingest = await site.startIngest(last, first);
      api = oldApi;
      await load.progress();
      await site.stop(oldBeside);
    }

    const sent = await load.stop();
    expect(sent.failures).toEqual([]);
    await site.expectStored(tenant, sent);
  });

  async function newSite() {
    const { databaseUrl, clickhouseUrl } = await newDatabases();
    const urlOf = (address: string) => {
      const url = new URL(address);
      url.pathname = new URL(databaseUrl).pathname;
      return url.href;
    };
    const shared = engines();
    const own = {
      ...shared,
      clickhouseUrl,
      databaseUrls: {
        owner: databaseUrl,
        app: urlOf(shared.databaseUrls.app),
        system: urlOf(shared.databaseUrls.system),
      },
    };
    const secret = newSecret();
    const nodes = { ingest: new Set<string>(), api: new Set<string>() };
    const env = { ...apiEnvironment(own), DATABASE_URL: databaseUrl };
    const run = (root: string, script: string, args: readonly string[]) =>
      promisify(execFile)(process.execPath, [...API_NODE_ARGS, join(root, script), ...args], {
        cwd: root,
        env,
      });

    async function start(kind: keyof typeof nodes, starting: Promise<Program>) {
      const program = await starting;
      const url = `http://127.0.0.1:${program.port}`;
      running.add(program);
      const ready = async () =>
        expect((await send(`${url}/readyz`, { method: 'GET' })).status).toBe(200);
      await eventually(ready, { intervalMs: 20 });
      nodes[kind].add(url);
      return { url, program, kind };
    }

    return {
      secret,
      nodes,
      migrate: (root: string) => run(root, 'migrations/migrate.ts', []),
      async createTenant(
        root: string,
      ): Promise<Pick<Tenant, 'organizationId' | 'workspaceId' | 'writeKey'>> {
        const admin = async (...args: string[]) =>
          JSON.parse((await run(root, 'graphql-api/app/admin.ts', [...args, '--json'])).stdout);
        await admin('cell', 'add', '--slug', 'default', '--region', 'test');
        return admin('org', 'create', '--name', 'Upgraded', '--workspace', 'Shop');
      },
      startIngest: (root: string, spool: string) =>
        start(
          'ingest',
          startProgram(
            'ingest/main.ts',
            {
              ...ingestEnvironment(own, spool, 1),
              GATEWAY_WEBHOOK_SECRET: secret,
              GATEWAY_ABANDONED_CHECKOUT_SECRET: secret,
            },
            [],
            root,
          ),
        ),
      startApi: (root: string) =>
        start(
          'api',
          startProgram('graphql-api/app/main.ts', apiEnvironment(own), API_NODE_ARGS, root),
        ),
      /** Leaves acknowledged events in its spool. */
      async kill({ url, program, kind }: Node) {
        await program.end('SIGKILL');
        nodes[kind].delete(url);
      },
      async stop({ url, program, kind }: Node) {
        expect(await program.end('SIGTERM')).toEqual({ code: 0, signal: null });
        nodes[kind].delete(url);
      },
      async expectStored({ workspaceId }: Pick<Tenant, 'workspaceId'>, sent: Sent) {
        const client = createClient({ url: clickhouseUrl });
        try {
          const events = `SELECT message_id AS id FROM events WHERE workspace_id = '${workspaceId}'`;
          await eventually(async () =>
            expect(idsOf(await rowsOf(client, events))).toEqual(sent.messageIds.sort()),
          );
        } finally {
          await client.close();
        }
        const stored = async (query: string, values: unknown[] = []) =>
          idsOf(await sql(query, values, databaseUrl));
        const own = [workspaceId];
        expect(
          await stored('SELECT token AS id FROM devices WHERE workspace_id = $1', own),
        ).toEqual(sent.devices.sort());
        expect(
          await stored('SELECT name AS id FROM campaigns WHERE workspace_id = $1', own),
        ).toEqual(sent.campaigns.sort());
        const payment = `convert_from(body, 'UTF8')::json #>> '{data,payment,cf_payment_id}'`;
        expect(await stored(`SELECT ${payment} AS id FROM gateway_events`)).toEqual(
          sent.payments.sort(),
        );
      },
    };
  }
});

type Node = { readonly url: string; readonly program: Program; readonly kind: 'ingest' | 'api' };
type Target = {
  readonly secret: string;
  readonly nodes: Readonly<Record<'ingest' | 'api', Set<string>>>;
};
type Sent = Readonly<
  Record<'messageIds' | 'devices' | 'campaigns' | 'payments' | 'failures', string[]>
>;

/** All requests have IDs that make repeats harmless. */
function startLoad({ secret, nodes }: Target, tenant: Pick<Tenant, 'writeKey'>, token: string) {
  const sent: Sent = { messageIds: [], devices: [], campaigns: [], payments: [], failures: [] };
  const answered = { batches: 0, devices: 0, webhooks: 0, mutations: 0 };
  const through = async (
    kind: keyof typeof answered,
    to: keyof typeof nodes,
    post: (node: { url: string }) => Promise<Answer>,
  ) => {
    const answer = await sendUntilAnswered(nodes[to], post);
    answered[kind]++;
    if (answer.status !== 200 || /"(?:errors|code)":/.test(answer.text))
      sent.failures.push(`${kind} ${answer.status} ${answer.text}`);
  };
  const load = [
    repeat(PER_SECOND.batches, sent.failures, () => {
      const ids = Array.from({ length: EVENTS_PER_BATCH }, newMessageId);
      sent.messageIds.push(...ids);
      const body = batchText(
        tenant.writeKey,
        ids.map(id => eventOf(id)),
      );
      return through('batches', 'ingest', ({ url }) =>
        send(`${url}/v1/batch`, { body, headers: JSON_TYPE }),
      );
    }),
    repeat(PER_SECOND.devices, sent.failures, () => {
      const device = newIosToken();
      sent.devices.push(device);
      const fields = { device_token: device, platform: 'ios' };
      return through('devices', 'ingest', node =>
        postJson(node, tenant, '/v1/devices/register', fields),
      );
    }),
    repeat(PER_SECOND.webhooks, sent.failures, () => {
      const { id, text } = paymentEvent();
      sent.payments.push(id);
      return through('webhooks', 'ingest', node => postWebhook(node, text, { secret }));
    }),
    repeat(PER_SECOND.mutations, sent.failures, () => {
      const key = `campaign ${sent.campaigns.length}`;
      sent.campaigns.push(key);
      const variables = { key, input: { name: key, type: 'BANNER' } };
      const body = JSON.stringify({ query: CAMPAIGN_CREATE, variables });
      const headers = { ...JSON_TYPE, authorization: `Bearer ${token}` };
      return through('mutations', 'api', ({ url }) => send(`${url}/graphql`, { body, headers }));
    }),
  ];
  return {
    /** Resolves after more requests of each kind. */
    async progress() {
      const before = { ...answered };
      await eventually(() => {
        for (const kind of Object.keys(answered) as (keyof typeof answered)[])
          expect(answered[kind] - before[kind]).toBeGreaterThanOrEqual(REQUESTS_PER_STEP);
      });
    },
    async stop() {
      await Promise.all(load.map(part => part.stop()));
      return sent;
    },
  };
}

/** Again on the next node, if one has ended or is stopping. */
async function sendUntilAnswered(
  nodes: ReadonlySet<string>,
  post: (node: { url: string }) => Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const urls = [...nodes];
    const url = urls[attempt % urls.length]!;
    try {
      const answer = await post({ url });
      if (answer.status !== 503 || attempt === ATTEMPTS_MAX) return answer;
    } catch (error) {
      if (attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

function idsOf(rows: readonly object[]): string[] {
  return rows.map(row => String((row as { id: unknown }).id)).sort();
}
