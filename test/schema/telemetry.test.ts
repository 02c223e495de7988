// Spans and metrics arrive at a collector: an HTTP server that decodes the protocol's messages.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startApi } from '../graphql-api/harness/api-process.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { eventText } from '../harness/batch.ts';
import { liveTenant, postEvents } from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import { startIngest } from '../harness/ingest-process.ts';
import { createTenant } from '../harness/tenant.ts';

type Field = { readonly number: number; readonly bytes?: Buffer };

/** The fields of a Protocol Buffers message. https://protobuf.dev/programming-guides/encoding/ */
function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = () => {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = message[at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const [number, type] = [tag >>> 3, tag & 7];
    if (type === 0) varint();
    else if (type === 1) at += 8;
    else if (type === 5) at += 4;
    else {
      const length = varint();
      fields.push({ number, bytes: message.subarray(at, at + length) });
      at += length;
    }
  }
  return fields;
}

/** The messages at a path of field numbers. */
function within(message: Buffer, ...path: number[]): Buffer[] {
  const [first, ...rest] = path;
  if (first === undefined) return [message];
  const inner = fieldsOf(message).filter(({ number }) => number === first);
  return inner.flatMap(({ bytes }) => (bytes === undefined ? [] : within(bytes, ...rest)));
}

/** The names of spans are in resource_spans, scope_spans, spans, name; those of metrics likewise. */
const SPAN_NAMES = [1, 2, 2, 5];
const METRIC_NAMES = [1, 2, 2, 1];
const RESOURCE_ATTRIBUTES = [1, 1, 1];

async function startCollector() {
  const received = {
    spans: new Set<string>(),
    metrics: new Set<string>(),
    resources: new Set<string>(),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const isTraces = request.url === '/v1/traces';
      const names = within(body, ...(isTraces ? SPAN_NAMES : METRIC_NAMES));
      for (const name of names) received[isTraces ? 'spans' : 'metrics'].add(name.toString());
      for (const [name, value] of within(body, ...RESOURCE_ATTRIBUTES).map(fieldsOf))
        received.resources.add(`${String(name!.bytes)} ${String(within(value!.bytes!, 1)[0])}`);
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_METRIC_EXPORT_INTERVAL: '300',
  };
  return { env, received };
}

test('the API sends a span per request, its statements, its outgoing requests, and its metrics', async () => {
  const { env, received } = await startCollector();
  const api = await startApi({ env: { ...env, OTEL_SERVICE_NAME: 'api-of-the-test' } });
  onTestFinished(async () => void (await api.stop()));
  const token = await tokenFor((await createTenant()).organizationId);
  await api.graphql('{ organization { id } }', { token });
  await eventually(() => {
    expect([...received.spans]).toEqual(
      expect.arrayContaining(['POST /graphql other', 'postgres select']),
    );
    expect([...received.metrics]).toEqual(
      expect.arrayContaining([
        'api_request_seconds',
        'api_postgres_reachable',
        'service_build_info',
      ]),
    );
  });
  expect([...received.resources]).toContain('service.name api-of-the-test');
});

test('ingest sends a span per request, its inserts, and the metrics of all threads', async () => {
  const { env, received } = await startCollector();
  const ingest = await startIngest({ env });
  onTestFinished(async () => void (await ingest.stop()));
  const tenant = await liveTenant(ingest);
  await postEvents(ingest, tenant.writeKey, [eventText()]);
  await eventually(() => {
    expect([...received.spans]).toEqual(expect.arrayContaining(['/v1/batch', 'insert events_raw']));
    expect([...received.metrics]).toEqual(
      expect.arrayContaining(['ingest_rows_stored_total', 'ingest_postgres_reachable']),
    );
  });
  expect([...received.resources]).toContain('service.name engagement-ingest');
});

test('with the sampler off, metrics are sent and no spans', async () => {
  const { env, received } = await startCollector();
  const ingest = await startIngest({ env: { ...env, OTEL_TRACES_SAMPLER: 'always_off' } });
  onTestFinished(async () => void (await ingest.stop()));
  await eventually(() => expect(received.metrics.size).toBeGreaterThan(10));
  await ingest.stop();
  expect([...received.spans]).toEqual([]);
});
