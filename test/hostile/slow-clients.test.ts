// Clients that hold connections and send almost nothing, disconnect in the middle, or do not wait for
// responses. All other clients are served meanwhile, and the memory held is bounded.

import { connect, type Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { batchText, eventOf, eventText, newMessageId } from '../harness/batch.ts';
import { expectAccepted, liveTenant, post, postEvents } from '../harness/batch-client.ts';
import { EACH_ONCE, sharedWarehouse, tally, untilDrained } from '../harness/copies.ts';
import { eventually } from '../harness/eventually.ts';
import { keepAlive } from '../harness/http.ts';
import { useIngest } from '../harness/ingest-process.ts';
import { residentBytes } from '../harness/resident-bytes.ts';
import type { Tenant } from '../harness/tenant.ts';
import { exchange, statuses } from './raw-connection.ts';

const IS_LONG = process.env.TEST_LONG !== undefined;
const SLOW_CLIENTS = IS_LONG ? 5_000 : 2_000;
/** Memory for a socket, a request and the start of a body; far less than the claimed lengths. */
const BYTES_PER_CLIENT_MAX = 64 * 1024;
const CLAIMED_BYTES = 500_000;
const HEALTHY_BATCHES = 100;
const BYTE_INTERVAL_MS = 1_000;

const ingest = useIngest({ threads: 1 });
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

const HEAD = 'POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const BEGINNINGS = [
  'POST /v1/ba',
  `${HEAD}X-Slow: `,
  `${HEAD}Content-Length: ${CLAIMED_BYTES}\r\n\r\n{"batch":[`,
  `${HEAD}Transfer-Encoding: chunked\r\n\r\n${CLAIMED_BYTES.toString(16)}\r\n{"batch":[`,
];

const sockets = new Set<Socket>();
let timer: NodeJS.Timeout | undefined;
afterEach(() => {
  clearInterval(timer);
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});

function open(beginning: string): Promise<Socket> {
  const { port, hostname } = new URL(ingest().url);
  return new Promise(resolve => {
    const socket = connect({ port: Number(port), host: hostname });
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.write(beginning, () => resolve(socket));
  });
}

async function openSlowClients(): Promise<void> {
  for (let i = 0; i < SLOW_CLIENTS; i += BEGINNINGS.length) await Promise.all(BEGINNINGS.map(open));
  timer = setInterval(() => {
    for (const socket of sockets) socket.write('x');
  }, BYTE_INTERVAL_MS);
}

async function healthyClients(): Promise<void> {
  const agent = keepAlive(10);
  const send = async () =>
    expectAccepted(
      await post(ingest(), batchText(tenant.writeKey, [eventText(), eventText()]), { agent }),
      2,
    );
  await Promise.all(Array.from({ length: HEALTHY_BATCHES }, send));
  agent.destroy();
}

describe(`with ${SLOW_CLIENTS} clients that send a byte per second`, () => {
  test('other clients are served, and memory use stays bounded', async () => {
    await healthyClients();
    const before = residentBytes(ingest().pid);
    await openSlowClients();
    // Three quarters have sent their request line. More would be refused if claimed lengths
    // counted.
    expect(sockets.size).toBeGreaterThan(SLOW_CLIENTS / 2);
    await healthyClients();
    const growth = residentBytes(ingest().pid) - before;
    expect(growth / SLOW_CLIENTS).toBeLessThan(BYTES_PER_CLIENT_MAX);
  });

  test.runIf(IS_LONG)('they are eventually disconnected', async () => {
    await openSlowClients();
    await eventually(() => expect(sockets.size).toBe(0), { deadlineMs: 120_000 });
    await healthyClients();
  });
});

test('incomplete bodies release the memory that they held', async () => {
  // Ten times the total size of bodies that a thread holds at once.
  const part = Buffer.alloc(400_000, 0x20);
  const beginning = `${HEAD}Content-Length: ${CLAIMED_BYTES}\r\n\r\n`;
  for (let round = 0; round < 40; round++) {
    const opened = await Promise.all(Array.from({ length: 40 }, () => open(beginning)));
    await Promise.all(
      opened.map(socket => new Promise<void>(resolve => socket.write(part, () => resolve()))),
    );
    for (const socket of opened) socket.resetAndDestroy();
  }
  await eventually(healthyClients);
});

describe.concurrent('clients that do not wait for the response', () => {
  test('three requests at once: answered, or disconnected and repeated without duplicates', async () => {
    const own = await liveTenant(ingest());
    const ids = Array.from({ length: 3 }, newMessageId);
    const bodies = ids.map(id => batchText(own.writeKey, [eventOf(id)]));
    const requests = bodies.map(
      body => `${HEAD}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    const answered = statuses(await exchange(ingest(), requests.join('')));
    expect(answered.every(status => status === 200)).toBe(true);
    for (const body of bodies.slice(answered.length)) expectAccepted(await post(ingest(), body), 1);
    await expectEachOnce(own, ids);
  });

  test('a client that closes its side after a request and repeats it', async () => {
    const own = await liveTenant(ingest());
    const messageId = newMessageId();
    const body = batchText(own.writeKey, [eventOf(messageId)]);
    const { port, hostname } = new URL(ingest().url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.on('error', () => undefined);
    const closed = new Promise<void>(resolve => socket.on('close', () => resolve()));
    socket.on('end', () => socket.end());
    socket.resume();
    socket.end(`${HEAD}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    await closed;
    expectAccepted(await post(ingest(), body), 1);
    await expectEachOnce(own, [messageId]);
  });

  test('clients that disconnect before the response and repeat the request', async () => {
    const own = await liveTenant(ingest());
    const ids = Array.from({ length: 50 }, newMessageId);
    const bodies = ids.map(id => batchText(own.writeKey, [eventOf(id)]));
    for (const body of bodies)
      (
        await open(`${HEAD}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
      ).resetAndDestroy();
    for (const body of bodies) expectAccepted(await post(ingest(), body), 1);
    await expectEachOnce(own, ids);
  });

  test.for(['BREW', 'TRACE', 'PROPFIND', 'post', 'X'])('an unknown method: %s', async method => {
    const text = await exchange(ingest(), `${method} /v1/batch HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect([400, 405, 501]).toContain(statuses(text)[0]);
    expectAccepted(await postEvents(ingest(), tenant.writeKey, [eventText()]), 1);
  });
});

/** Both in the view and in the table behind it. */
async function expectEachOnce({ workspaceId }: Tenant, ids: readonly string[]): Promise<void> {
  await untilDrained(ingest());
  expect(await tally(sharedWarehouse, 'events', workspaceId, ids)).toEqual(EACH_ONCE);
}
