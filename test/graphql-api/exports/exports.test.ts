// Exports over HTTP, from the request to the last byte, with a real ClickHouse.

import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { countEventExport } from '../../../graphql-api/exports/count-export.job.ts';
import { EXPORTS_MAX } from '../../../graphql-api/exports/export.actions.ts';
import { createContext } from '../../../graphql-api/platform/context.ts';
import { eventually } from '../../harness/eventually.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { rows as rowsOf, warehouse } from '../../harness/warehouse.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { useDeps } from '../harness/deps.ts';
import { ask, refusals } from '../harness/mutate.ts';
import { eventRow, insertRows, type Row } from '../harness/report-rows.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();
const deps = useDeps();

const RANGE = { from: '2026-11-01T12:00:00Z', to: '2026-11-04T00:00:00Z' };
const RECEIVED = '2026-11-10T00:00:00.000Z';

type Asked = { readonly names?: readonly string[]; readonly format?: string };
type Shown = {
  readonly id: string;
  readonly state: string;
  readonly chunks: number;
  readonly events: number;
  readonly days: number;
  readonly days_done: number;
};

/** Two days of events: some at the same time, some stored twice, some outside of the range. */
async function furnished(): Promise<Tenant> {
  const tenant = await createTenant();
  const event = (number: number, timestamp: string, fields: Row = {}) =>
    eventRow(tenant, {
      event: number % 3 === 0 ? 'Order' : 'Visit',
      message_id: `m-${number}`,
      timestamp,
      received_at: RECEIVED,
      user_id: `user-${number % 7}`,
      properties: JSON.stringify({ number, text: `it's "quoted" 注文\n`, pad: 'x'.repeat(900) }),
      ...fields,
    });
  const rows = Array.from({ length: 3_000 }, (_, number) =>
    event(number, `2026-11-0${number % 2 === 0 ? 1 : 3}T1${number % 10}:00:00.${number % 5}00Z`),
  );
  const again = rows
    .slice(0, 100)
    .map(row => ({ ...row, received_at: '2026-11-11T00:00:00.000Z', user_id: 'a later copy' }));
  await insertRows('events_raw', [...rows, ...again, event(9_001, '2026-11-04T00:00:00.000Z')]);
  return tenant;
}

async function rest(tenant: Tenant, path: string, body?: object, method?: string) {
  return api().rest(`/api/v1/exports${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    token: await tokenFor(tenant.organizationId, { roles: ['owner'] }),
    ...(body && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
}

async function requested(tenant: Tenant, asked: Asked = {}): Promise<Shown> {
  const answer = await rest(tenant, '', { range: RANGE, format: 'json_lines', ...asked });
  expect(answer.status, answer.text).toBe(200);
  return answer.json().export as Shown;
}

async function shownBy(tenant: Tenant, { id }: Shown): Promise<Shown> {
  const shown = (await rest(tenant, `/${id}`)).json().export as Shown;
  expect(shown.state).toBe('completed');
  return shown;
}

/**
 * Runs the job directly instead of waiting for the queue: it can be repeated or run concurrently.
 */
async function completed(tenant: Tenant, asked: Asked = {}): Promise<Shown> {
  const made = await requested(tenant, asked);
  const context = createContext(deps(), 'test', undefined);
  const signal = new AbortController().signal;
  await countEventExport.run(context, { exportId: made.id }, signal);
  return shownBy(tenant, made);
}

async function fetchChunk(tenant: Tenant, { id }: Pick<Shown, 'id'>, number: number) {
  const token = await tokenFor(tenant.organizationId, { roles: ['owner'] });
  return fetch(`${api().url}/api/v1/exports/${id}/chunks/${number}`, {
    headers: { authorization: `Bearer ${token}` },
  });
}

async function chunkBytes(tenant: Tenant, of: Shown, number: number): Promise<Buffer> {
  const answer = await fetchChunk(tenant, of, number);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

async function allBytes(tenant: Tenant, of: Shown): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for (let number = 1; number <= of.chunks; number++)
    chunks.push(await chunkBytes(tenant, of, number));
  return chunks;
}

/** The events that an export must contain, in order. */
function expected({ workspaceId }: Tenant, names = ['Order', 'Visit']): Promise<Row[]> {
  return rowsOf<Row>(
    `SELECT ${COLUMNS.join(', ')} FROM events
     WHERE workspace_id = {workspaceId:UUID} AND event IN {names:Array(String)}
       AND timestamp >= parseDateTime64BestEffort({from:String}, 3, 'UTC')
       AND timestamp < parseDateTime64BestEffort({to:String}, 3, 'UTC')
     ORDER BY timestamp, event, message_id`,
    { workspaceId, names, ...RANGE },
  );
}

/** Row by row, because a diff of thousands of rows would be unreadable. */
function expectSame(found: readonly Row[], rows: readonly Row[]): void {
  expect(found).toHaveLength(rows.length);
  for (const [at, row] of rows.entries()) expect(found[at]).toEqual(row);
}

const TIMES = ['timestamp', 'sent_at', 'received_at', 'corrected_at'];
const TEXTS = [
  'workspace_id',
  'property_id',
  'sdk_key_id',
  'type',
  'event',
  'name',
  'message_id',
  'timestamp_text',
  'sent_at_text',
  'anonymous_id',
  'user_id',
  'session_id',
  'properties',
  'traits',
  'context',
  'extra',
  'batch_context',
  'batch_extra',
];
const COLUMNS = [...TIMES, ...TEXTS];

describe('an export', () => {
  test('as JSON lines has each event once, in order', async () => {
    const tenant = await furnished();
    const asked = await requested(tenant);
    const made = await eventually(() => shownBy(tenant, asked));
    expect(made).toMatchObject({ days: 3, days_done: 3, chunks: 2, events: 2_700 });
    const lines = Buffer.concat(await allBytes(tenant, made))
      .toString()
      .trimEnd()
      .split('\n');
    const events = lines.map(line => JSON.parse(line) as Row);
    expectSame(events, await expected(tenant));
    const answer = await fetchChunk(tenant, made, 2);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename="events-2026-11-03-2.jsonl"',
      'x-event-count': '1500',
    });
    await answer.body?.cancel();
  });

  test('as Parquet, of some events, is read back by the engine', async () => {
    const tenant = await furnished();
    const made = await completed(tenant, { format: 'parquet', names: ['Order'] });
    const table = `export_${randomUUID().replaceAll('-', '')}`;
    const columns = [
      ...TIMES.map(name => `${name} Nullable(DateTime64(3, 'UTC'))`),
      ...TEXTS.map(name => `${name} String`),
    ];
    await warehouse().command({
      query: `CREATE TABLE ${table} (${columns.join(', ')}) ENGINE = Memory`,
    });
    try {
      for (const chunk of await allBytes(tenant, made)) {
        expect(chunk.subarray(0, 4).toString()).toBe('PAR1');
        const { stream } = await warehouse().exec({
          query: `INSERT INTO ${table} FORMAT Parquet`,
          values: Readable.from([chunk]),
        });
        stream.resume();
      }
      const read = await rowsOf<Row>(
        `SELECT ${COLUMNS.join(', ')} FROM ${table} ORDER BY timestamp, event, message_id`,
      );
      expect(read).toHaveLength(900);
      expectSame(read, await expected(tenant, ['Order']));
    } finally {
      await warehouse().command({ query: `DROP TABLE ${table}` });
    }
  });

  test.each(['parquet', 'json_lines'])(
    'that is interrupted has the same bytes when it is repeated: %s',
    async format => {
      const tenant = await furnished();
      const made = await completed(tenant, { format });
      const whole = await chunkBytes(tenant, made, 1);
      const cut = await fetchChunk(tenant, made, 1);
      const reader = cut.body!.getReader();
      const { value } = await reader.read();
      await reader.cancel();
      expect(whole.subarray(0, value!.length).equals(value!)).toBe(true);
      const again = await chunkBytes(tenant, made, 1);
      expect(again.equals(whole)).toBe(true);
    },
  );

  test('excludes events received later, and refuses a changed chunk', async () => {
    const tenant = await furnished();
    const made = await completed(tenant);
    const late = (received_at: string) =>
      eventRow(tenant, { event: 'Visit', timestamp: '2026-11-03T13:00:30.000Z', received_at });
    await insertRows('events_raw', [late(new Date(Date.now() + 60_000).toISOString())]);
    expect(await chunkBytes(tenant, made, 2)).toHaveLength(
      (await chunkBytes(tenant, made, 2)).length,
    );
    // Received earlier, but stored only now.
    await insertRows('events_raw', [late(RECEIVED)]);
    const changed = await fetchChunk(tenant, made, 2);
    expect(changed.status).toBe(409);
    expect(await changed.text()).toContain('have changed');
    const same = await fetchChunk(tenant, made, 1);
    expect(same.status).toBe(200);
    await same.body?.cancel();
  });

  test('belongs to its workspace, expires and is deleted', async () => {
    const [tenant, other] = [await furnished(), await createTenant()];
    const made = await completed(tenant);
    const { id } = made;
    expect((await rest(other, `/${id}`)).status).toBe(404);
    expect((await fetchChunk(other, made, 1)).status).toBe(404);
    expect((await rest(other, `/${id}`, undefined, 'DELETE')).status).toBe(404);
    expect((await fetchChunk(tenant, made, 3)).status).toBe(404);
    const token = await tokenFor(tenant.organizationId, { roles: ['member'] });
    const asMember = await api().rest(`/api/v1/exports/${id}/chunks/1`, { token });
    expect(asMember.status).toBe(403);

    await sql(`UPDATE event_exports SET expires_at = now() WHERE id = $1`, [id]);
    expect((await rest(tenant, `/${id}`)).status).toBe(404);
    expect((await fetchChunk(tenant, made, 1)).status).toBe(404);
    expect((await rest(tenant, '')).json().items).toEqual([]);
    expect((await rest(tenant, `/${id}`, undefined, 'DELETE')).status).toBe(200);
    expect(await sql('SELECT FROM event_export_chunks WHERE export_id = $1', [id])).toEqual([]);
  });

  test('is refused beyond the limits', async () => {
    const tenant = await createTenant();
    const by = { api: api(), tenant };
    const input = { range: RANGE, format: 'PARQUET' };
    const long = { ...input, range: { ...RANGE, to: '2027-11-01T00:00:00Z' } };
    expect(await refusals(by, 'eventExportRequest', { input: long })).toEqual([
      'INVALID_RANGE input.range',
    ]);
    for (let count = 0; count < EXPORTS_MAX; count++)
      expect(await refusals(by, 'eventExportRequest', { input })).toEqual([]);
    expect(await refusals(by, 'eventExportRequest', { input })).toEqual(['TOO_MANY_EXPORTS']);
    const { eventExports } = await ask<{ eventExports: { nodes: Row[] } }>(
      by,
      '{ eventExports(first: 1) { nodes { state dayCount eventCount chunksPath } } }',
    );
    const chunksPath = expect.stringMatching(/^\/api\/v1\/exports\/[0-9a-f-]{36}\/chunks\/$/);
    expect(eventExports.nodes).toEqual([
      { state: expect.any(String), dayCount: 3, eventCount: 0, chunksPath },
    ]);
  });
});
