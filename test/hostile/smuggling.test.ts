// Request smuggling: requests whose end two servers may parse differently. Behind a proxy, bytes
// that one server treats as a body could be a separate request to the other, sent in the name of
// another client. Each case contains a valid request at a position where only a wrong parser would
// find it; it must never be executed.

import { beforeAll, describe, expect, test } from 'vitest';
import { batchText, eventOf, eventText, newMessageId } from '../harness/batch.ts';
import { expectAccepted, liveTenant, post } from '../harness/batch-client.ts';
import { useIngest } from '../harness/ingest-process.ts';
import { storedEvent } from '../harness/stored-events.ts';
import type { Tenant } from '../harness/tenant.ts';
import { rows } from '../harness/warehouse.ts';
import { exchange, statuses } from './raw-connection.ts';

const ingest = useIngest({ threads: 1 });
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

const LINE = 'POST /v1/batch HTTP/1.1\r\n';
const HOST = 'Host: x\r\nContent-Type: application/json\r\n';
const HEAD = LINE + HOST;
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;
const canaries = new Map<string, string>();
let current = '';

/** A request that is accepted if a server parses it as one. */
function smuggled(messageId = newMessageId()): string {
  canaries.set(messageId, current);
  const body = batchText(tenant.writeKey, [eventOf(messageId)]);
  return `${HEAD}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** This header claims a body of two bytes; the smuggled request follows it. */
const twoBytes = (header: string) => () => `${HEAD}${header}\r\n\r\n{}${smuggled()}`;
/** A chunk with this start, which a wrong parser reads as five bytes long. */
const chunk = (begin: string) => () => `${CHUNKED}${begin}hello\r\n0\r\n\r\n${smuggled()}`;
/** The smuggled request is the body, according to its length; only the head is unusual. */
const inBody = (head: (length: number) => string) => () => {
  const body = smuggled();
  return `${head(body.length)}\r\n${body}`;
};
const sized = (length: number) => `Content-Length: ${length}\r\n`;
const headOfBytes = (bytes: number) =>
  inBody(length => {
    const head = HEAD + sized(length);
    return `${head}X-Pad: ${'p'.repeat(bytes - head.length - 'X-Pad: \r\n\r\n'.length)}\r\n`;
  });
const headersOf = (count: number) =>
  inBody(length => {
    const more = Array.from({ length: count - 3 }, (_, i) => `X-${i}: ${i}\r\n`);
    return HEAD + sized(length) + more.join('');
  });

const CASES: Readonly<Record<string, () => string>> = {
  'a length and chunks': twoBytes('Content-Length: 2\r\nTransfer-Encoding: chunked'),
  'chunks and a length': () =>
    `${HEAD}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${smuggled()}`,
  'a length that ends before the chunks do': () =>
    `${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled()}`,
  'an unknown transfer encoding and a length': twoBytes(
    'Content-Length: 2\r\nTransfer-Encoding: xchunked',
  ),
  'chunked before another encoding': twoBytes(
    'Content-Length: 2\r\nTransfer-Encoding: chunked, identity',
  ),
  'gzip before chunked': twoBytes('Content-Length: 2\r\nTransfer-Encoding: gzip, chunked'),
  'two transfer encodings': twoBytes(
    'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\nContent-Length: 2',
  ),
  'a space before the colon': twoBytes('Transfer-Encoding : chunked\r\nContent-Length: 2'),
  'a tab before chunked': twoBytes('Transfer-Encoding:\tchunked\r\nContent-Length: 2'),
  'a vertical tab before chunked': twoBytes('Transfer-Encoding:\u000bchunked\r\nContent-Length: 2'),
  'an empty transfer encoding': twoBytes('Transfer-Encoding:\r\nContent-Length: 2'),
  'a folded header': twoBytes('Content-Length: 2\r\nTransfer-Encoding:\r\n chunked'),
  'a bare LF before a header': twoBytes('X-A: b\nTransfer-Encoding: chunked\r\nContent-Length: 2'),
  'a bare CR before a header': twoBytes('X-A: b\rTransfer-Encoding: chunked\r\nContent-Length: 2'),
  'two lengths': twoBytes('Content-Length: 2\r\nContent-Length: 4000'),
  'the same two lengths the other way round': twoBytes('Content-Length: 4000\r\nContent-Length: 2'),
  'two equal lengths': twoBytes('Content-Length: 2\r\nContent-Length: 2'),
  'a list of lengths': twoBytes('Content-Length: 2, 2'),
  'a length with a sign': twoBytes('Content-Length: +2'),
  'a negative length': twoBytes('Content-Length: -2'),
  'a length in hexadecimal': twoBytes('Content-Length: 0x2'),
  'a length with something behind it': twoBytes('Content-Length: 2a'),
  'a length beyond 32 bits': twoBytes('Content-Length: 4294967298'),
  'a length beyond 64 bits': twoBytes('Content-Length: 18446744073709551618'),
  'an empty length': twoBytes('Content-Length: '),
  'a chunk of 0x100000005 bytes': chunk('100000005\r\n'),
  'a chunk of 0x10000000000000005 bytes': chunk('10000000000000005\r\n'),
  'a chunk size with a sign': chunk('+5\r\n'),
  'a negative chunk size': chunk('-5\r\n'),
  'a chunk size with 0x': chunk('0x5\r\n'),
  'a chunk size with an underscore': chunk('0_5\r\n'),
  'a chunk size that is none': chunk('five\r\n'),
  'a chunk size that is missing': chunk('\r\n'),
  'a chunk size that ends with a bare LF': chunk('5\n'),
  'a chunk extension with a bare LF': chunk('5;a\n\r\n'),
  'a chunk extension with a bare CR': chunk('5;a=\rb\r\n'),
  'a chunk extension with a NUL': chunk('5;\u0000\r\n'),
  'a chunk that is longer than it says': () => `${CHUNKED}2\r\nhello\r\n0\r\n\r\n${smuggled()}`,
  'a chunk without its end of line': () => `${CHUNKED}5\r\nhello0\r\n\r\n${smuggled()}`,
  'bare LFs for the lines': () =>
    `POST /v1/batch HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}${smuggled()}`,
  'a head of 4,095 bytes': headOfBytes(4_095),
  'a head of 4,096 bytes': headOfBytes(4_096),
  'a head of 4,097 bytes': headOfBytes(4_097),
  'a head of 20,000 bytes': headOfBytes(20_000),
  'a head of 100,000 bytes': headOfBytes(100_000),
  '99 headers': headersOf(99),
  '100 headers': headersOf(100),
  '101 headers': headersOf(101),
  '500 headers': headersOf(500),
  'a NUL in a header': inBody(length => `${HEAD}X-A: a\u0000b\r\n${sized(length)}`),
  'a header without a colon': inBody(length => `${HEAD}X-A\r\n${sized(length)}`),
  'chunks that end the connection, and a request behind them': () =>
    `${CHUNKED}0\r\n\r\n${smuggled()}`,
  'a header without a name': inBody(length => `${HEAD}: a\r\n${sized(length)}`),
  'no Host': inBody(length => LINE + sized(length)),
  'two Hosts': inBody(length => `${HEAD}Host: y\r\n${sized(length)}`),
  'HTTP/1.0': inBody(length => `POST /v1/batch HTTP/1.0\r\n${HOST}${sized(length)}`),
  'HTTP/2.0': inBody(length => `POST /v1/batch HTTP/2.0\r\n${HOST}${sized(length)}`),
  'HTTP/0.9': () => `GET /v1/batch\r\n\r\n${smuggled()}`,
  'the preface of HTTP/2': () => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${smuggled()}`,
  'a line without a target': inBody(length => `POST HTTP/1.1\r\n${HOST}${sized(length)}`),
  'a target with a space': inBody(length => `POST /v1/ba tch HTTP/1.1\r\n${HOST}${sized(length)}`),
  'a whole address as the target': inBody(
    length => `POST http://x/v1/batch HTTP/1.1\r\n${HOST}${sized(length)}`,
  ),
  'a GET with a body': inBody(length => `GET /v1/batch HTTP/1.1\r\n${HOST}${sized(length)}`),
  'a TRACE with a body': inBody(length => `TRACE /v1/batch HTTP/1.1\r\n${HOST}${sized(length)}`),
  'an unknown method': inBody(length => `BREW /v1/batch HTTP/1.1\r\n${HOST}${sized(length)}`),
  'a method in lower case': inBody(length => `post /v1/batch HTTP/1.1\r\n${HOST}${sized(length)}`),
  'a CONNECT': inBody(length => `CONNECT x:443 HTTP/1.1\r\n${HOST}${sized(length)}`),
  'Expect: 100-continue': inBody(length => `${HEAD}Expect: 100-continue\r\n${sized(length)}`),
  'an unknown expectation': inBody(length => `${HEAD}Expect: wonders\r\n${sized(length)}`),
  'an upgrade to a web socket': inBody(
    length =>
      `${HEAD}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${sized(length)}`,
  ),
};

test('the smuggled request on its own is accepted', async () => {
  const messageId = newMessageId();
  const text = await exchange(ingest(), smuggled(messageId));
  canaries.delete(messageId);
  expect(statuses(text)).toEqual([200]);
  await storedEvent(tenant.workspaceId, messageId);
});

const REFUSALS = [400, 401, 404, 405, 411, 413, 415, 417, 431, 501, 505];

describe.concurrent('never a second request', () => {
  test.for(Object.entries(CASES))('%s', async ([name, payload]) => {
    current = name;
    const found = statuses(await exchange(ingest(), payload())).filter(status => status !== 100);
    // Refused or disconnected; in any case, the server saw at most one request.
    expect(found.length).toBeLessThanOrEqual(1);
    for (const status of found) expect(REFUSALS).toContain(status);
  });
});

test('no smuggled request is stored, and ingest continues', async () => {
  const messageId = newMessageId();
  expectAccepted(
    await post(ingest(), batchText(tenant.writeKey, [eventOf(messageId), eventText()])),
    2,
  );
  await storedEvent(tenant.workspaceId, messageId);
  expect(canaries.size).toBeGreaterThanOrEqual(Object.keys(CASES).length);
  const found = await rows<{ message_id: string }>(
    `SELECT message_id FROM events_raw
     WHERE workspace_id = {workspaceId:UUID} AND message_id IN {canaries:Array(String)}`,
    { workspaceId: tenant.workspaceId, canaries: [...canaries.keys()] },
  );
  expect(found.map(row => canaries.get(row.message_id))).toEqual([]);
});
