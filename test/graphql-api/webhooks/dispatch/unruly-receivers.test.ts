// Receivers that are slow, send too much or close the connection.

import { once } from 'node:events';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { httpReceiver, rawServer } from './hostile-servers.ts';
import { TIMING, useSenders } from './webhook-senders.ts';

const NO_PATIENCE = { ...TIMING, answerTimeoutMs: 500 };
const NO_PATIENCE_TO_CONNECT = { ...TIMING, connectTimeoutMs: 500 };

const { senderOf } = useSenders();

describe.concurrent('slow receivers', () => {
  test('without a response in time are TIMED_OUT', async () => {
    const { url, received } = await httpReceiver(() => undefined);
    // Long enough for the request to arrive on a busy machine.
    expect(await senderOf({ timing: { ...TIMING, answerTimeoutMs: 3_000 } })(url)).toMatchObject({
      outcome: 'TIMED_OUT',
      reason: 'no response within 3 s',
    });
    expect(received).toHaveLength(1);
  });

  test('that send headers byte by byte, or only a 100 Continue, are TIMED_OUT', async () => {
    const slowly = (text: string) => (socket: NodeJS.WritableStream) => {
      let at = 0;
      const timer = setInterval(() => socket.write(text[at++ % text.length]!), 50);
      socket.on('close', () => clearInterval(timer));
    };
    const drip = await rawServer(slowly('HTTP/1.1 200 OK\r\nx: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy'));
    const wait = await rawServer(socket => {
      const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 50);
      socket.on('close', () => clearInterval(timer));
    });
    const send = senderOf({ timing: NO_PATIENCE });
    for (const port of [drip, wait])
      expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ outcome: 'TIMED_OUT' });
  });

  test('with an endless handshake count as unreachable', async () => {
    const port = await rawServer(() => undefined);
    const send = senderOf({ timing: NO_PATIENCE_TO_CONNECT });
    expect(await send(`https://localhost:${port}/`)).toMatchObject({
      outcome: 'TIMED_OUT',
      reason: 'no connection within 0.5 s',
    });
  });

  test('with a name that never resolves count as unreachable', async () => {
    const send = senderOf({
      timing: NO_PATIENCE_TO_CONNECT,
      resolve: () => new Promise(() => undefined),
    });
    expect(await send('https://slow.example.com/')).toMatchObject({ outcome: 'TIMED_OUT' });
  });

  test('with an endless body count by their status', async () => {
    const { url } = await httpReceiver((_request, answer) => {
      answer.writeHead(200);
      const timer = setInterval(() => answer.write('.'), 20);
      answer.on('close', () => clearInterval(timer));
    });
    expect(await senderOf()(url)).toMatchObject({ outcome: 'DELIVERED' });
  });

  test('an aborted attempt is INTERRUPTED', async () => {
    const stopping = new AbortController();
    const { url } = await httpReceiver(() => stopping.abort());
    expect(await senderOf()(url, '{}', stopping.signal)).toMatchObject({ outcome: 'INTERRUPTED' });
    expect(await senderOf()(url, '{}', stopping.signal)).toMatchObject({ outcome: 'INTERRUPTED' });
  });
});

describe.concurrent('receivers that send too much', () => {
  test('a very large response is cut off and uses little memory', async () => {
    let written = 0;
    let isClosed = false;
    const block = Buffer.alloc(256 * 1024, 'a');
    const port = await rawServer(socket => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10737418240\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write(block)) written += block.length;
        written += block.length;
      };
      socket.on('drain', more);
      socket.on('close', () => {
        isClosed = true;
      });
      more();
    });
    // The drain timeout is long, so only the size ends the response.
    const send = senderOf({ timing: { ...TIMING, drainTimeoutMs: 60_000 } });
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ outcome: 'DELIVERED' });
    await eventually(() => expect(isClosed).toBe(true));
    // Only data in transit was written; the buffers of both sockets take some megabytes.
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  test('a gzip bomb is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024));
    const { url } = await httpReceiver((_request, answer) => {
      answer.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    const send = senderOf();
    // The compressed body is small enough to be read completely, so the connection is reused.
    expect(bomb.length).toBeLessThan(64 * 1024);
    expect(await send(url)).toMatchObject({ outcome: 'DELIVERED' });
    expect(await send(url)).toMatchObject({ outcome: 'DELIVERED' });
  });

  test('endless headers and invalid HTTP do not count as a response', async () => {
    const answers = [
      `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`,
      'SSH-2.0-OpenSSH_9.2\r\n',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\nok',
    ];
    const send = senderOf();
    for (const text of answers) {
      const port = await rawServer(socket => socket.once('data', () => socket.end(text)));
      expect(await send(`http://127.0.0.1:${port}/`), text.slice(0, 40)).toMatchObject({
        outcome: 'CONNECTION_FAILED',
      });
    }
  });
});

describe.concurrent('receivers that close the connection', () => {
  test('a reset, a closed connection and a closed port are CONNECTION_FAILED', async () => {
    const reset = await rawServer(socket => socket.once('data', () => socket.resetAndDestroy()));
    const closed = await rawServer(socket => socket.once('data', () => socket.end()));
    const send = senderOf();
    for (const port of [reset, closed, 1])
      expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({
        outcome: 'CONNECTION_FAILED',
      });
  });

  test('an answer before the body has been read counts', async () => {
    const port = await rawServer(socket => {
      socket.pause();
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    });
    const body = JSON.stringify('a'.repeat(1024 * 1024));
    expect(await senderOf()(`http://127.0.0.1:${port}/`, body)).toMatchObject({
      outcome: 'DELIVERED',
    });
  });

  test('who answers without reading keeps no connection', async () => {
    let bytes = 0;
    const opened = Promise.withResolvers<Socket>();
    const port = await rawServer(socket => {
      socket.on('data', data => {
        bytes += data.length;
      });
      socket.pause().write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      opened.resolve(socket);
    });
    const body = 'a'.repeat(64 * 1024 * 1024);
    const attempted = await senderOf()(`http://127.0.0.1:${port}/`, body);
    expect(attempted).toMatchObject({ outcome: 'DELIVERED' });
    const socket = await opened.promise;
    socket.resume();
    await once(socket, 'close');
    // Only the bytes in transit at the time of the response arrive, and none after them.
    expect(bytes).toBeLessThan(body.length / 2);
  });

  test('connections are used again, and one that was closed meanwhile costs no attempt', async () => {
    let connections = 0;
    const port = await rawServer(socket => {
      const own = ++connections;
      let requests = 0;
      socket.on('data', data => {
        if (!data.toString().startsWith('POST')) return;
        if (own === 1 && ++requests === 3) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      });
    });
    const send = senderOf();
    for (let time = 0; time < 3; time++)
      expect(await send(`http://127.0.0.1:${port}/`, '')).toMatchObject({ outcome: 'DELIVERED' });
    expect(connections).toBe(2);
  });
});
