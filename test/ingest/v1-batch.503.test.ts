import { connect, type Socket } from 'node:net';
import { describe, expect, inject, test } from 'vitest';
import { batchText, eventOf, eventText, newMessageId } from '../harness/batch.ts';
import {
  expectAccepted,
  expectProblem,
  JSON_TYPE,
  liveTenant,
  postEvents,
} from '../harness/batch-client.ts';
import { deadAddress } from '../harness/dead-address.ts';
import { eventually } from '../harness/eventually.ts';
import { send } from '../harness/http.ts';
import { type IngestProcess, isReady, startIngest } from '../harness/ingest-process.ts';
import { storedEvent, storedEvents } from '../harness/stored-events.ts';

describe.concurrent('a process that stops', () => {
  test('finishes requests in progress, refuses new ones with 503, and exits with 0', async () => {
    const node = await startIngest({ threads: 1 });
    const tenant = await liveTenant(node);
    const messageId = newMessageId();
    const slow = await openRequest(node, batchText(tenant.writeKey, [eventOf(messageId)]));
    const idle = await openConnection(node);
    // The thread responds to this request only after it has read the beginning of the slow one. A request that
    // it has not seen does not count as in progress.
    const early = await roundTrip(idle, batchText(tenant.writeKey, [eventText()]));
    expect(early).toMatch(/^HTTP\/1\.1 200 /);
    const stopped = node.stop();
    // On an existing connection, requests are soon refused or the connection is closed.
    let late: string;
    do late = await roundTrip(idle, batchText(tenant.writeKey, [eventText()]));
    while (late.startsWith('HTTP/1.1 200'));
    if (late !== '') {
      expect(late).toMatch(/^HTTP\/1\.1 503 /);
      expect(late).toMatch(/retry-after: [1-9]\d*/i);
      expect(late).toContain('"UNAVAILABLE"');
    }
    const answer = await slow.finish();
    const exit = await stopped;
    expect(exit).toEqual({ code: 0, signal: null });
    // Both responses are allowed, but a 200 means that the event is stored.
    expect(answer).toMatch(/^HTTP\/1\.1 (200|503) /);
    if (answer.startsWith('HTTP/1.1 200')) {
      await node.restart();
      await storedEvent(tenant.workspaceId, messageId);
      await node.stop();
    }
  });

  test('is not ready, but alive and serving, until load balancers have noticed', async () => {
    const node = await startIngest({ threads: 1, env: { DRAIN_NOTICE_MS: '4000' } });
    const tenant = await liveTenant(node);
    expect(await isReady(node)).toBe(true);
    const stopped = node.stop();
    await eventually(async () => expect(await isReady(node)).toBe(false));
    expect((await send(`${node.url}/healthz`, { method: 'GET' })).status).toBe(200);
    const { status } = await postEvents(node, tenant.writeKey, [eventText()]);
    expect([200, 503]).toContain(status);
    expect(await stopped).toEqual({ code: 0, signal: null });
  });

  test('an idle process stops immediately', async () => {
    const node = await startIngest();
    expect(await node.stop()).toEqual({ code: 0, signal: null });
  });

  test('two signals have the same effect as one', async () => {
    const node = await startIngest({ threads: 1 });
    const stopped = node.stop();
    process.kill(node.pid, 'SIGTERM');
    expect((await stopped).code).toBe(0);
  });

  test('a client that never finishes its request does not prevent the stop', async () => {
    const node = await startIngest({ threads: 1 });
    const tenant = await liveTenant(node);
    const slow = await openRequest(node, batchText(tenant.writeKey, [eventText()]));
    expect((await node.stop()).code).toBe(0);
    slow.socket.destroy();
  });
});

describe.concurrent('a process without Postgres', () => {
  test('starts from its snapshot, serves known keys and refuses unknown ones', async () => {
    const node = await startIngest({ threads: 1 });
    const tenant = await liveTenant(node);
    await node.stop();
    const dead = await deadAddress();
    try {
      await node.restart({ DATABASE_SYSTEM_URL: `postgres://x:x@${dead.hostPort}/service` });
      const ids = [newMessageId(), newMessageId()];
      await eventually(async () => {
        expectAccepted(
          await postEvents(
            node,
            tenant.writeKey,
            ids.map(id => eventOf(id)),
          ),
          2,
        );
      });
      await storedEvents(tenant.workspaceId, ids);
      const unknown = await postEvents(node, 'wk_unknown_unknown_unknown', [eventText()]);
      expect([401, 503]).toContain(unknown.status);
    } finally {
      await node.stop();
      await dead.close();
    }
  });

  test('without a snapshot, it is alive but not ready until Postgres is available', async () => {
    const dead = await deadAddress();
    const node = await startIngest({
      isReadinessAwaited: false,
      env: { DATABASE_SYSTEM_URL: `postgres://x:x@${dead.hostPort}/service` },
    });
    try {
      expect((await send(`${node.url}/healthz`, { method: 'GET' })).status).toBe(200);
      const ready = await send(`${node.url}/readyz`, { method: 'GET' });
      expect(ready.status).toBe(503);
      expect(ready.text).toMatch(/directory|keys|postgres/i);
      const origin = 'https://shop.example.com';
      const preflight = await send(`${node.url}/v1/batch`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-max-age': '0',
      });
      for (const path of ['/v1/batch', '/v1/in_app/events']) {
        const answer = await send(`${node.url}${path}`, {
          body: batchText('wk_unknown_unknown_unknown', [eventText()]),
          headers: { ...JSON_TYPE, origin },
        });
        expectProblem(answer, 503, 'UNAVAILABLE');
        expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
        expect(answer.headers['access-control-allow-origin']).toBe(origin);
      }
      expect(await node.stop()).toEqual({ code: 0, signal: null });
      await node.restart({ DATABASE_SYSTEM_URL: inject('databaseUrls').system });
      await eventually(async () => expect(await isReady(node)).toBe(true));
    } finally {
      await node.stop();
      await dead.close();
    }
  });
});

async function openConnection(node: IngestProcess): Promise<Socket> {
  const socket = connect({ port: Number(new URL(node.url).port), host: '127.0.0.1' });
  socket.setEncoding('utf8').setNoDelay(true);
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('connect', () => resolve());
  });
  // From here on, a reset by the server is expected; the `close` event reports it.
  socket.on('error', () => undefined);
  return socket;
}

/** Sends a request without its last byte. */
async function openRequest(node: IngestProcess, body: string) {
  const socket = await openConnection(node);
  const whole = requestText(body);
  await new Promise(done => socket.write(whole.slice(0, -1), done));
  return { socket, finish: () => roundTripText(socket, whole.slice(-1)) };
}

function roundTrip(socket: Socket, body: string): Promise<string> {
  return roundTripText(socket, requestText(body));
}

function requestText(body: string): string {
  const head = 'POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** The response, or '' if the server closed the connection instead. */
function roundTripText(socket: Socket, text: string): Promise<string> {
  return new Promise(resolve => {
    if (socket.destroyed) {
      resolve('');
      return;
    }
    let answer = '';
    socket.on('close', () => resolve(answer));
    socket.on('data', (part: string) => {
      answer += part;
      if (answer.includes('}')) resolve(answer);
    });
    socket.write(text);
  });
}
