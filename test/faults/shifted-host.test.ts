// Ingest runs on a host whose clock is an hour off. Due times are compared with Postgres's clock
// only, so the rows that ingest writes are still processed immediately.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processDueEvents } from '../../graphql-api/payments/inbox/process-gateway-events.ts';
import { createDeps } from '../graphql-api/harness/deps.ts';
import {
  ENCRYPTION_KEYS,
  expectAcknowledged,
  newSecret,
  paymentEvent,
  postWebhook,
} from '../harness/gateway-webhook.ts';
import { startIngest } from '../harness/ingest-process.ts';
import { ownDatabase } from '../harness/own-database.ts';
import { newDirectory } from '../harness/run-directory.ts';
import { sql } from '../harness/tenant.ts';
import { CLOCK_VARIABLE } from './shifted-clock.ts';

const HOUR_MS = 3_600_000;

test.each([
  ['ahead', HOUR_MS],
  ['behind', -HOUR_MS],
])('gateway events are processed in time even if a clock is an hour %s', async (_way, shiftMs) => {
  const clock = join(await newDirectory('clock'), 'clock.json');
  await writeFile(clock, JSON.stringify({ shiftMs }));
  const urls = await ownDatabase();
  const secret = newSecret();
  const ingest = await startIngest({
    threads: 1,
    env: {
      NODE_OPTIONS: `--import=${new URL('./shifted-clock.ts', import.meta.url).href}`,
      [CLOCK_VARIABLE]: clock,
      DATABASE_SYSTEM_URL: urls.system,
      ENCRYPTION_KEYS,
      GATEWAY_WEBHOOK_SECRET: secret,
    },
  });
  const deps = await createDeps({
    DATABASE_APP_URL: urls.app,
    DATABASE_SYSTEM_URL: urls.system,
    DATABASE_POOL_MAX: '4',
  });
  try {
    expectAcknowledged(await postWebhook(ingest, paymentEvent().text, { secret }));
    await processDueEvents(deps);
    const rows = await sql(
      `SELECT state <> 'RECEIVED' AS "isWorkedOff",
         abs(extract(epoch FROM received_at - now())) > 3000 AS "isShifted" FROM gateway_events`,
      [],
      urls.owner,
    );
    expect(rows).toEqual([{ isWorkedOff: true, isShifted: true }]);
  } finally {
    await ingest.stop();
    await deps.warehouses.close();
    await deps.database.close();
  }
});
