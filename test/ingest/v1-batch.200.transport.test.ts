// The same batch with every kind of body and connection that a client may use.

import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  BODY_BYTES_MAX,
  batchOfBytes,
  batchText,
  eventOf,
  eventText,
  newMessageId,
} from '../harness/batch.ts';
import {
  expectAccepted,
  expectProblem,
  JSON_TYPE,
  liveTenant,
  post,
} from '../harness/batch-client.ts';
import { compress, ENCODINGS, keepAlive, send } from '../harness/http.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { storedEvent, storedEvents } from '../harness/stored-events.ts';
import type { Tenant } from '../harness/tenant.ts';

const ingest = useSharedIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

describe.concurrent('compressed', () => {
  test.for(ENCODINGS)('%s', async encoding => {
    const messageId = newMessageId();
    const properties = '{"text": "größe 🚀", "number": 12345678901234567890}';
    const body = batchText(tenant.writeKey, [eventOf(messageId, { properties })]);
    const headers = { 'content-encoding': encoding };
    expectAccepted(await post(ingest(), compress(encoding, body), { headers }), 1);
    expect(await storedEvent(tenant.workspaceId, messageId)).toMatchObject({ properties });
  });

  test.for(ENCODINGS)('%s of exactly 512,000 bytes', async encoding => {
    const messageId = newMessageId();
    const body = batchOfBytes(tenant.writeKey, messageId, BODY_BYTES_MAX);
    const headers = { 'content-encoding': encoding };
    expectAccepted(await post(ingest(), compress(encoding, body), { headers }), 1);
    await storedEvent(tenant.workspaceId, messageId);
  });

  test.for(ENCODINGS)('%s of incompressible noise', async encoding => {
    const messageId = newMessageId();
    const list = Array.from({ length: 40 }, () => `"${randomBytes(6_000).toString('base64')}"`);
    const properties = `{"list":[${list.join(',')}]}`;
    const body = batchText(tenant.writeKey, [eventOf(messageId, { properties })]);
    const headers = { 'content-encoding': encoding };
    expectAccepted(await post(ingest(), compress(encoding, body), { headers }), 1);
    expect(await storedEvent(tenant.workspaceId, messageId)).toMatchObject({ properties });
  });

  test('a compressed stream larger than 512,000 bytes is accepted, or refused as too large', async () => {
    const body = batchOfBytes(tenant.writeKey, newMessageId(), BODY_BYTES_MAX);
    const larger = gzipSync(body, { level: 0 });
    expect(larger.length).toBeGreaterThan(BODY_BYTES_MAX);
    const headers = { 'content-encoding': 'gzip' };
    const answer = await post(ingest(), larger, { headers });
    if (answer.status === 200) expectAccepted(answer, 1);
    else expectProblem(answer, 413, 'PAYLOAD_TOO_LARGE');
  });

  test.for(['GZIP', 'Gzip', 'x-gzip'])('Content-Encoding %s', async encoding => {
    const body = gzipSync(batchText(tenant.writeKey, [eventText()]));
    const answer = await post(ingest(), body, { headers: { 'content-encoding': encoding } });
    // Encoding names are case-insensitive. A server should accept the old alias x-gzip, but need
    // not.
    if (encoding === 'x-gzip') expect([200, 415]).toContain(answer.status);
    else expectAccepted(answer, 1);
  });

  test('zstd of several frames, including skippable ones', async () => {
    const messageId = newMessageId();
    const text = Buffer.from(batchText(tenant.writeKey, [eventOf(messageId)]));
    const skipped = Buffer.from('5a2a4d1803000000616263', 'hex');
    const body = Buffer.concat([
      zstdCompressSync(text.subarray(0, 40)),
      skipped,
      zstdCompressSync(text.subarray(40, 41), {
        params: { [constants.ZSTD_c_checksumFlag]: 1 },
      }),
      zstdCompressSync(text.subarray(41)),
    ]);
    const headers = { 'content-encoding': 'zstd' };
    expectAccepted(await post(ingest(), body, { headers }), 1);
    await storedEvent(tenant.workspaceId, messageId);
  });

  test.for(ENCODINGS)(
    '%s that is truncated, or has trailing bytes, is malformed',
    async encoding => {
      const whole = compress(encoding, batchText(tenant.writeKey, [eventText()]));
      const headers = { 'content-encoding': encoding };
      const damaged = [1, 2, 5, 10].map(bytes => whole.subarray(0, -bytes));
      for (const body of [...damaged, Buffer.concat([whole, Buffer.from('more')])])
        expectProblem(await post(ingest(), body, { headers }), 400, 'MALFORMED_ENCODING');
    },
  );

  test('zstd of very many frames is malformed', async () => {
    const frame = zstdCompressSync(Buffer.from(' '));
    const body = Buffer.concat(Array.from({ length: 20_000 }, () => frame));
    const headers = { 'content-encoding': 'zstd' };
    expectProblem(await post(ingest(), body, { headers }), 400, 'MALFORMED_ENCODING');
  });

  test('Content-Encoding identity means no encoding', async () => {
    const body = batchText(tenant.writeKey, [eventText()]);
    expectAccepted(await post(ingest(), body, { headers: { 'content-encoding': 'identity' } }), 1);
  });

  test('in small chunks', async () => {
    const messageId = newMessageId();
    const body = gzipSync(batchText(tenant.writeKey, [eventOf(messageId)]));
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    const chunks = Array.from(body, byte => Uint8Array.of(byte));
    expectAccepted(await send(`${ingest().url}/v1/batch`, { headers, chunks }), 1);
    await storedEvent(tenant.workspaceId, messageId);
  });
});

describe.concurrent('plain', () => {
  test('a body of exactly 512,000 bytes', async () => {
    const messageId = newMessageId();
    const body = batchOfBytes(tenant.writeKey, messageId, BODY_BYTES_MAX);
    expect(Buffer.byteLength(body)).toBe(BODY_BYTES_MAX);
    expectAccepted(await post(ingest(), body), 1);
    await storedEvent(tenant.workspaceId, messageId);
  });

  test('chunked, without a length, split inside characters', async () => {
    const messageId = newMessageId();
    const properties = `{"text":"${'🚀é'.repeat(40)}"}`;
    const body = Buffer.from(batchText(tenant.writeKey, [eventOf(messageId, { properties })]));
    const chunks = Array.from({ length: Math.ceil(body.length / 3) }, (_, i) =>
      body.subarray(i * 3, i * 3 + 3),
    );
    expectAccepted(await send(`${ingest().url}/v1/batch`, { headers: JSON_TYPE, chunks }), 1);
    expect(await storedEvent(tenant.workspaceId, messageId)).toMatchObject({ properties });
  });

  test('a beacon: text/plain, with the key only in the body', async () => {
    const messageId = newMessageId();
    const body = batchText(tenant.writeKey, [eventOf(messageId)]);
    const headers = {
      'content-type': 'text/plain;charset=UTF-8',
      origin: 'https://shop.example.com',
      'sec-fetch-mode': 'no-cors',
    };
    expectAccepted(await send(`${ingest().url}/v1/batch`, { body, headers }), 1);
    await storedEvent(tenant.workspaceId, messageId);
  });

  test('header names in any case', async () => {
    const messageId = newMessageId();
    const body = batchText(tenant.writeKey, [eventOf(messageId)]);
    const length = Buffer.byteLength(body);
    const text = await exchange([
      `POST /v1/batch HTTP/1.1\r\nHOST: x\r\nCONTENT-TYPE: application/json\r\nCoNtEnT-lEnGtH: ${length}\r\n\r\n${body}`,
    ]);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    await storedEvent(tenant.workspaceId, messageId);
  });
});

describe.concurrent('connections', () => {
  test('many requests over one connection', async () => {
    const agent = keepAlive(1);
    const ids = Array.from({ length: 50 }, newMessageId);
    for (const id of ids) {
      const body = batchText(tenant.writeKey, [eventOf(id)]);
      expectAccepted(await post(ingest(), body, { agent }), 1);
    }
    agent.destroy();
    await storedEvents(tenant.workspaceId, ids);
  });

  test('an error leaves the connection usable', async () => {
    const agent = keepAlive(1);
    const body = batchText(tenant.writeKey, [eventText()]);
    for (const bad of ['{', '', '[]', batchText('wk_unknown_unknown_unknown', [eventText()])]) {
      expect((await post(ingest(), bad, { agent })).status).toBeGreaterThanOrEqual(400);
      expectAccepted(await post(ingest(), body, { agent }), 1);
    }
    agent.destroy();
  });

  test('pipelined requests are answered in order, or the connection is closed', async () => {
    const ids = Array.from({ length: 5 }, newMessageId);
    const requests = ids.map(id => requestText(batchText(tenant.writeKey, [eventOf(id)])));
    const text = await exchange([requests.join('')], 5).catch((error: Error) => error);
    // HTTP/1.1 clients must expect the connection to close, and resend requests without a response.
    if (text instanceof Error) expect(text.message).toContain('closed');
    else await storedEvents(tenant.workspaceId, ids);
    expectAccepted(await post(ingest(), batchText(tenant.writeKey, [eventText()])), 1);
  });

  test('a request in many small pieces', async () => {
    const messageId = newMessageId();
    const whole = requestText(batchText(tenant.writeKey, [eventOf(messageId)]));
    const line = whole.slice(0, whole.indexOf('\r\n') + 2);
    const rest = whole.slice(line.length).match(/[\s\S]{1,7}/g) ?? [];
    expect(await exchange([line, ...rest])).toMatch(/^HTTP\/1\.1 200 /);
    await storedEvent(tenant.workspaceId, messageId);
  });

  test('clients that disconnect during a request do not affect others', async () => {
    const body = batchText(tenant.writeKey, [eventText()]);
    const whole = requestText(body);
    const port = Number(new URL(ingest().url).port);
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const socket = connect({ port, host: '127.0.0.1' });
        socket.on('error', () => undefined);
        const cut = Math.ceil((whole.length * (i + 1)) / 60);
        await new Promise<void>(done => socket.write(whole.slice(0, cut), () => done()));
        // The last clients have sent everything and do not wait for the response.
        socket.resetAndDestroy();
      }),
    );
    expectAccepted(await post(ingest(), body), 1);
  });
});

function requestText(body: string): string {
  const head = 'POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Writes the pieces one after the other and reads until `answers` responses have arrived. */
async function exchange(pieces: readonly string[], answers = 1): Promise<string> {
  const socket = connect({ port: Number(new URL(ingest().url).port), host: '127.0.0.1' });
  socket.setNoDelay(true).setEncoding('utf8');
  try {
    return await new Promise<string>((resolve, reject) => {
      let text = '';
      socket.on('error', reject);
      socket.on('close', () => reject(new Error(`closed after: ${text}`)));
      socket.on('data', (part: string) => {
        text += part;
        if ((text.match(/"status":"SUCCESS"/g) ?? []).length >= answers) resolve(text);
      });
      void (async () => {
        for (const piece of pieces) {
          await new Promise(done => socket.write(piece, done));
        }
      })();
    });
  } finally {
    socket.destroy();
  }
}

test('cookies of a page do not prevent its events from being accepted', async () => {
  const body = batchText(tenant.writeKey, [eventText()]);
  const headers = { cookie: `session=${'x'.repeat(6_000)}` };
  expectAccepted(await post(ingest(), body, { headers }), 1);
});
