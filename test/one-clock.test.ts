// Which clock is used for what: see graphql-api/README.md, "Time". Every statement that uses
// Postgres's clock, and all code that uses the machine's, is listed below with its reason.
// Everything else uses the service's time.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** Written and compared with Postgres's clock, by any process. */
const DUE = 'when it is to be tried again, who has it until when, or since when it failed';
const WRITTEN = 'when a row was written; nothing is decided by it';

type Allowed = Readonly<Record<string, readonly [count: number, reason: string]>>;

const POSTGRES_CLOCK: Allowed = {
  'graphql-api/app/watch-backlogs.ts': [
    3,
    'ages for metrics, of times that are mostly Postgres’s defaults',
  ],
  'graphql-api/payments/inbox/apply-event.ts': [2, DUE],
  'graphql-api/payments/inbox/awaited.ts': [1, DUE],
  'graphql-api/payments/inbox/replay-events.ts': [1, DUE],
  'graphql-api/platform/warehouse/outbox-row.actions.ts': [1, DUE],
  'graphql-api/payments/inbox/process-gateway-events.ts': [3, DUE],
  'graphql-api/events/live/look-at-records.ts': [1, 'settled_at is Postgres’s default'],
  'graphql-api/webhooks/dispatch/claim-deliveries.ts': [8, DUE],
  'graphql-api/webhooks/dispatch/disable-endpoints.ts': [1, DUE],
  'graphql-api/webhooks/dispatch/fan-out-events.ts': [3, DUE],
  'graphql-api/webhooks/dispatch/queue-replay.ts': [5, DUE],
  'graphql-api/webhooks/dispatch/queue-test.ts': [1, DUE],
  'graphql-api/webhooks/dispatch/settle-deliveries.ts': [6, DUE],
  'graphql-api/platform/warehouse/outbox.ts': [3, DUE],
  'graphql-api/platform/jobs/job-queue.ts': [1, 'start_after, which pg-boss writes by it'],
  'graphql-api/webhooks/emit-event.ts': [1, DUE],
  'ingest/gateway/store-events.ts': [1, DUE],
  'ingest/insert/server-starts.ts': [1, 'ClickHouse’s: when it was started'],
  'ingest/outbox/write-contacts.ts': [1, WRITTEN],
  'graphql-api/platform/database/columns.ts': [1, WRITTEN],
  'graphql-api/webhooks/attempt.entity.ts': [1, 'the default that the live view compares'],
};

const MACHINE_CLOCK: Allowed = {
  'graphql-api/events/live/live-feeds.ts': [1, 'tokens, which others issue'],
  'graphql-api/app/main.ts': [1, 'tokens, which others issue'],
  'graphql-api/webhooks/dispatch/deliveries.ts': [1, 'timestamps that receivers judge'],
  'graphql-api/webhooks/dispatch/send-webhook.ts': [1, 'Retry-After, by the receiver’s date'],
  'graphql-api/app/replay-command.ts': [2, 'a command of an operator’s'],
  'ingest/clock.ts': [1, 'the simulator’s and the tests’ way to a clock'],
  'schema/environment/service-time.ts': [2, 'the service’s time itself'],
};

const POSTGRES =
  /\bnow\(\)|\bcurrent_timestamp\b|\b(?:clock|statement|transaction)_timestamp\(|\bcurrent_date\b|\blocaltimestamp\b/gi;
const MACHINE = /\bDate\.now\b|\bnew Date\(\)/g;
/** Calls of now() that do not mean Postgres's clock. */
const OTHERS_NOW = /(?:\bDate|performance|clock|deps)\.now\(\)/g;

test('statements compare only values written by Postgres’s clock with it', async () => {
  const sources = await sourcesIn(['ingest', 'graphql-api', 'schema'], ['.ts']);
  expect(countsOf(sources, POSTGRES)).toEqual(countsIn(POSTGRES_CLOCK));
});

test('the machine’s clock is used as the service’s clock in one place only', async () => {
  const sources = await sourcesIn(['ingest', 'graphql-api', 'schema'], ['.ts']);
  expect(countsOf(sources, MACHINE)).toEqual(countsIn(MACHINE_CLOCK));
});

test('the database’s own functions and defaults say only when a row was written', async () => {
  const sources = await sourcesIn(['migrations/postgres'], ['.sql']);
  const lines = [...sources.values()].flatMap(text =>
    text
      .split('\n')
      .filter(line => line.search(POSTGRES) !== -1 && !/ DEFAULT now\(\)[,;]?$/.test(line))
      .map(line => line.trim()),
  );
  expect(lines).toEqual([
    'NEW.updated_at := now();',
    // Only used if an approver's decision has no time.
    'UPDATE template_alerts SET cleared_at = coalesce(NEW.decided_at, now()), cleared_by = NEW.state',
  ]);
});

async function sourcesIn(
  directories: readonly string[],
  endings: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const sources = new Map<string, string>();
  for (const directory of directories)
    for (const entry of await readdir(join(ROOT, directory), { recursive: true })) {
      if (!endings.some(ending => entry.endsWith(ending))) continue;
      const path = join(directory, entry);
      sources.set(path, withoutComments(await readFile(join(ROOT, path), 'utf8')));
    }
  return sources;
}

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:\/\/|--|\*|\/\*).*$/gm, '');
}

function countsOf(sources: ReadonlyMap<string, string>, clock: RegExp): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [path, text] of sources) {
    const searched = clock === POSTGRES ? text.replaceAll(OTHERS_NOW, '') : text;
    const count = searched.match(clock)?.length ?? 0;
    if (count > 0) counts[path] = count;
  }
  return counts;
}

function countsIn(allowed: Allowed): Record<string, number> {
  return Object.fromEntries(Object.entries(allowed).map(([path, [count]]) => [path, count]));
}
