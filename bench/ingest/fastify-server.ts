// A typical alternative to ingest: Fastify, with the batch validated by zod and its rows inserted
// by the official client with asynchronous inserts. It responds once ClickHouse has stored them. A
// separate process, started by the benchmark.

import { createClient } from '@clickhouse/client';
import fastify from 'fastify';
import { LOOPBACK } from '../../embedded/ports.ts';
import { batchBody } from '../../ingest/accept/batch.contract.ts';
import { FASTIFY_TABLE } from './fastify-table.ts';
import { serverSettings, tellListening } from './server-process.ts';

const BODY_BYTES_MAX = 500 * 1024;
/** More than the number of connections of the load, so that no insert waits for another. */
const INSERTS_MAX = 64;

const { port, clickhouseUrl, writeKey, workspaceId } = serverSettings();
const clickhouse = createClient({
  url: clickhouseUrl,
  max_open_connections: INSERTS_MAX,
  clickhouse_settings: {
    async_insert: 1,
    wait_for_async_insert: 1,
    date_time_input_format: 'best_effort',
  },
});
const app = fastify({ bodyLimit: BODY_BYTES_MAX });

app.post('/v1/batch', async (request, reply) => {
  const parsed = batchBody.safeParse(request.body);
  if (!parsed.success) return reply.code(400).send({ detail: parsed.error.message });
  const { batch, sentAt, context } = parsed.data;
  if (parsed.data.writeKey !== writeKey) return reply.code(401).send({ detail: 'Unknown key.' });
  const receivedAt = new Date().toISOString();
  const values = batch.map(event => ({
    workspace_id: workspaceId,
    type: event.type,
    event: event.event ?? '',
    name: event.name ?? '',
    message_id: event.messageId,
    timestamp: event.timestamp,
    sent_at: sentAt,
    received_at: receivedAt,
    anonymous_id: event.anonymousId,
    user_id: event.userId ?? '',
    session_id: event.sessionId,
    properties: textOf(event.properties),
    traits: textOf(event.traits),
    context: textOf(event.context),
    batch_context: textOf(context),
  }));
  await clickhouse.insert({ table: FASTIFY_TABLE, values, format: 'JSONEachRow' });
  return { status: 'SUCCESS', accepted: values.length };
});

await app.listen({ host: LOOPBACK, port });
tellListening();

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
