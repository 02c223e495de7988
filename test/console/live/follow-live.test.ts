// The reconnecting subscription, with a server that ends, refuses or interrupts it.

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createClient } from '../../../console/graph/client.ts';
import { type Connection, followLive } from '../../../console/pieces/live-feed/follow-live.ts';
import { eventually } from '../../harness/eventually.ts';

const COUNTS = {
  data: {
    live: {
      __typename: 'LiveCounts',
      at: '2026-01-01T00:00:00.000Z',
      accepted: 1,
      duplicates: 0,
      rejected: 0,
      notShown: 0,
      isIngestAnswering: true,
    },
  },
};
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/**
 * Follows a server that uses the next of these responses for each attempt, and repeats the last
 * one.
 */
async function follow(...answers: ((answer: ServerResponse) => void)[]) {
  let asked = 0;
  const server = createServer((_request, answer) => {
    const give = answers[Math.min(asked++, answers.length - 1)]!;
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    give(answer);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = createClient(async () => ({ token: 'a.b.c' }), `http://127.0.0.1:${port}/graphql`);
  const states: string[] = [];
  let [last, itemCount]: [Connection | undefined, number] = [undefined, 0];
  const onConnection = (connection: Connection) => {
    last = connection;
    if (states.at(-1) !== connection.state) states.push(connection.state);
  };
  const stop = followLive({ client, variables: {}, onItem: () => itemCount++, onConnection });
  ends.push(async () => {
    // Node's fetch reports an unhandled error if a stream is aborted while it is read.
    server.closeAllConnections();
    server.close();
    await eventually(() => expect(['reconnecting', 'refused']).toContain(states.at(-1)));
    stop();
  });
  return { states, last: () => last, itemCount: () => itemCount, asked: () => asked };
}

const write = (answer: ServerResponse, body: object) =>
  answer.write(`event: next\ndata: ${JSON.stringify(body)}\n\n`);
const goesOn = (answer: ServerResponse) => write(answer, COUNTS);
const completes = (answer: ServerResponse) => {
  write(answer, COUNTS);
  answer.end('event: complete\ndata:\n\n');
};
const breaksOff = (answer: ServerResponse) => {
  write(answer, COUNTS);
  setImmediate(() => answer.destroy());
};
const refuses = (code: string) => (answer: ServerResponse) => {
  write(answer, { data: null, errors: [{ message: 'No.', extensions: { code } }] });
  answer.end('event: complete\ndata:\n\n');
};

test('reconnects when the stream ends or is interrupted, and reports each item once', async () => {
  const followed = await follow(completes, breaksOff, goesOn);
  await eventually(() => expect(followed.asked()).toBe(3));
  await eventually(() => expect(followed.states.at(-1)).toBe('live'));
  expect(followed.states.slice(0, 3)).toEqual(['connecting', 'live', 'reconnecting']);
  expect(followed.itemCount()).toBe(3);
});

test('retries if it is throttled, and not if it is forbidden', async () => {
  const followed = await follow(refuses('THROTTLED'), refuses('FORBIDDEN'));
  await eventually(() => expect(followed.last()).toMatchObject({ state: 'refused' }));
  expect(followed.asked()).toBe(2);
  expect(followed.itemCount()).toBe(0);
});
