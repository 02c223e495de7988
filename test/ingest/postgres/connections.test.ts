// The connections of a node to Postgres, with more threads than connections and requests of every kind
// that needs Postgres.

import { expect, test } from 'vitest';
import { fetchIds } from '../../harness/active.ts';
import { eventText } from '../../harness/batch.ts';
import { expectAccepted, postEvents, untilKnown } from '../../harness/batch-client.ts';
import { createCampaign } from '../../harness/campaign.ts';
import { newIosToken } from '../../harness/device.ts';
import { eventually } from '../../harness/eventually.ts';
import {
  expectAcknowledged,
  newSecret,
  paymentEvent,
  postWebhook,
} from '../../harness/gateway-webhook.ts';
import { expectSuccess, postJson } from '../../harness/in-app.ts';
import { type Ingest, startIngest } from '../../harness/ingest-process.ts';
import { ownDatabase } from '../../harness/own-database.ts';
import { hasPgbouncer, startPgbouncer } from '../../harness/pgbouncer.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';

const THREADS = 4;
/** Each over new connections, so that every thread gets some. */
const ROUNDS = 20;
const SECRET = newSecret();
const NAMES = ['ingest-changes', 'ingest-followers', 'ingest-outbox', 'ingest-questions'];

type Databases = Awaited<ReturnType<typeof ownDatabase>>;

test('are four, whatever the number of threads', async () => {
  const databases = await ownDatabase();
  await serveEveryKind(databases, databases.system, async () => {
    const rows = await sql(
      `SELECT application_name AS name FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'ingest-%' ORDER BY 1`,
      [],
      databases.owner,
    );
    expect(rows.map(({ name }) => name)).toEqual(NAMES);
  });
});

test.skipIf(!hasPgbouncer())('may be those of a pooler in transaction mode', async () => {
  const databases = await ownDatabase();
  const pgbouncer = await startPgbouncer({ urls: databases, poolSize: 3 });
  try {
    await serveEveryKind(databases, pgbouncer.urls.system, async () => undefined);
    expect(pgbouncer.log()).not.toContain('unsupported startup parameter');
  } finally {
    await pgbouncer.stop();
  }
});

/** `watch` runs during the requests. */
async function serveEveryKind(
  { owner }: Databases,
  system: string,
  watch: () => Promise<void>,
): Promise<void> {
  const tenant = await createTenant({ databaseUrl: owner, minuteCap: 1_000_000 });
  const campaignId = await createCampaign(tenant.workspaceId, { databaseUrl: owner });
  const ingest = await startIngest({
    threads: THREADS,
    env: { DATABASE_SYSTEM_URL: system, GATEWAY_WEBHOOK_SECRET: SECRET },
  });
  try {
    await untilKnown(ingest, tenant.writeKey);
    await eventually(async () => expect(await fetchIds(ingest, tenant)).toEqual([campaignId]));
    for (let round = 0; round < ROUNDS; round++)
      await Promise.all([...requestsOf(ingest, tenant, round), watch()]);
    await eventually(async () => {
      const [counts] = await sql(COUNTS, [tenant.workspaceId], owner);
      expect(counts).toEqual({ contacts: ROUNDS, devices: ROUNDS, events: ROUNDS, used: ROUNDS });
    });
    await ingest.stop();
    const [key] = await sql('SELECT last_used_at FROM sdk_keys', [], owner);
    expect(key!.last_used_at).toBeInstanceOf(Date);
  } finally {
    await ingest.kill9();
  }
}

function requestsOf(ingest: Ingest, tenant: Tenant, round: number): Promise<void>[] {
  const userId = `user-${round}`;
  const identify = eventText({
    type: '"identify"',
    event: undefined,
    userId: JSON.stringify(userId),
    traits: '{"plan":"pro"}',
  });
  const device = { device_token: newIosToken(), platform: 'ios' };
  return [
    postEvents(ingest, tenant.writeKey, [identify]).then(answer => expectAccepted(answer, 1)),
    postJson(ingest, tenant, '/v1/devices/register', device).then(answer => expectSuccess(answer)),
    postWebhook(ingest, paymentEvent().text, { secret: SECRET }).then(expectAcknowledged),
    fetchIds(ingest, tenant, { userId }).then(ids => expect(ids).toHaveLength(1)),
  ];
}

const COUNTS = `
  SELECT (SELECT count(*)::int FROM contacts WHERE workspace_id = $1 AND traits <> '{}') AS contacts,
         (SELECT count(*)::int FROM devices WHERE workspace_id = $1) AS devices,
         (SELECT count(*)::int FROM gateway_events) AS events,
         (SELECT least(sum(used), ${ROUNDS})::int FROM quota_windows) AS used`;
