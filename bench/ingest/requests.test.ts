import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { batchBody } from '../../ingest/accept/batch.contract.ts';
import { ID_DIGITS } from './bodies.ts';
import { makeRequests, type RequestsOptions } from './requests.ts';

const CONNECTIONS = 4;
const OPTIONS: RequestsOptions = {
  host: '127.0.0.1:8080',
  writeKey: 'wk_bench',
  eventsPerBatch: 100,
  connections: CONNECTIONS,
  gzipBodies: undefined,
};

type Body = { readonly head: string; readonly bytes: Buffer };

function parts(request: Buffer): Body {
  const headEnd = request.indexOf('\r\n\r\n') + 4;
  return { head: request.toString('latin1', 0, headEnd), bytes: request.subarray(headEnd) };
}

function parsed({ head, bytes }: Body) {
  const text = head.includes('gzip') ? gunzipSync(bytes) : bytes;
  return batchBody.parse(JSON.parse(text.toString()));
}

describe('the load of the ingest bench', () => {
  test('no ID is sent twice, regardless of the connection and the reuse of a body', async () => {
    const requests = await makeRequests(OPTIONS);
    const ids = new Set<string>();
    const rounds = 150;
    for (let round = 0; round < rounds; round++)
      for (let connection = 0; connection < CONNECTIONS; connection++)
        for (const { messageId } of parsed(parts(requests.next(connection)!)).batch)
          ids.add(messageId);
    expect(ids.size).toBe(rounds * CONNECTIONS * OPTIONS.eventsPerBatch);
  });

  test('the IDs of the last request of a connection are those of its events', async () => {
    const requests = await makeRequests(OPTIONS);
    const bodies = [0, 1, 0, 1].map(connection => parsed(parts(requests.next(connection)!)));
    for (const connection of [0, 1])
      expect(requests.lastIds(connection)).toEqual(
        bodies[2 + connection]!.batch.map(({ messageId }) => messageId.slice(0, ID_DIGITS)),
      );
  });

  test('bodies follow the contract, contain all six types, and report their length', async () => {
    const requests = await makeRequests(OPTIONS);
    const types = new Map<string, number>();
    for (let count = 0; count < 8; count++) {
      const body = parts(requests.next(0)!);
      expect(body.head).toContain(`Content-Length: ${body.bytes.length}\r\n`);
      const { batch } = parsed(body);
      for (const { type } of batch) types.set(type, (types.get(type) ?? 0) + 1);
    }
    expect([...types.keys()].sort()).toEqual([
      'alias',
      'group',
      'identify',
      'page',
      'screen',
      'track',
    ]);
    expect(requests.eventBytes).toBeGreaterThan(650);
    expect(requests.eventBytes).toBeLessThan(850);
  });

  test('compressed bodies have the requested number, each with its own IDs', async () => {
    const requests = await makeRequests({ ...OPTIONS, gzipBodies: 300 });
    const ids = new Set<string>();
    let count = 0;
    for (let next = requests.next(0); next !== undefined; next = requests.next(0)) {
      for (const { messageId } of parsed(parts(next)).batch) ids.add(messageId);
      count++;
    }
    expect(count).toBe(300);
    expect(ids.size).toBe(300 * OPTIONS.eventsPerBatch);
    expect(requests.bodyBytes).toBeLessThan(requests.eventBytes * OPTIONS.eventsPerBatch * 0.5);
  });
});
