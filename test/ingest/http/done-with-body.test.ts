// An endpoint that waits for long after reading its body releases the memory for other requests.

import { afterEach, expect, test } from 'vitest';
import { freePort } from '../../../embedded/ports.ts';
import type { Reply } from '../../../ingest/http/reply.ts';
import { Router } from '../../../ingest/http/router.ts';
import { type Endpoint, Server } from '../../../ingest/http/server.ts';
import { send } from '../../harness/http.ts';

const REQUESTS = 5;
const PATH = '/v1/batch';
const FINE: Reply = { status: 200, body: '{}', contentType: 'application/json', headers: [] };
let server: Server;

afterEach(() => server.close());

/** The number of buffers used for bodies of requests that wait at the same time. */
async function placesOf(isDoneBefore: boolean): Promise<number> {
  const places = new Set<ArrayBufferLike>();
  const together = Promise.withResolvers<void>();
  let waiting = 0;
  const endpoint: Endpoint = {
    methods: ['POST'],
    returnsBody: true,
    handle: async (_, body, __, doneWithBody) => {
      places.add(body.buffer);
      if (isDoneBefore) doneWithBody();
      waiting++;
      if (waiting === REQUESTS) together.resolve();
      await together.promise;
      return FINE;
    },
  };
  server = new Server({
    newId: () => 'an-id-of-the-test',
    router: new Router(new Map([[PATH, endpoint]])),
    preflight: () => FINE,
    corsFor: () => [],
    onReply: () => undefined,
    onError: () => undefined,
    connectionsMax: REQUESTS,
    onConnectionRefused: () => undefined,
  });
  const port = await freePort();
  await server.listen('127.0.0.1', port);
  const headers = { 'content-type': 'application/json' };
  const answers = await Promise.all(
    Array.from({ length: REQUESTS }, () =>
      send(`http://127.0.0.1:${port}${PATH}`, { method: 'POST', headers, body: '{}' }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(REQUESTS).fill(200));
  return places.size;
}

test('requests that wait without their bodies share one memory', async () => {
  expect(await placesOf(true)).toBe(1);
});

test('each request that still needs its body keeps its own memory', async () => {
  expect(await placesOf(false)).toBe(REQUESTS);
});
