// The list of the live view: what is drawn, and when.

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createClient } from '../../../console/graph/client.ts';
import type { Sent } from '../../../console/pieces/sent-event/sent.ts';
import { type Live, LiveGathering } from '../../../console/views/live/gather-live.ts';
import { matcherOf } from '../../../console/views/live/sent-filter.ts';
import { eventually } from '../../harness/eventually.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

function sentAt(second: number, fields: Partial<Sent> = {}): Sent {
  return {
    receivedAt: new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString(),
    sdkKeyId: null,
    type: 'track',
    name: 'Viewed',
    userId: 'Ann',
    anonymousId: null,
    messageId: `message-${second}`,
    body: '{}',
    ...fields,
  };
}

/** Gathers from a server; `give` sends an event as the live view does. */
async function gather(isWanted: (sent: Sent) => boolean = () => true) {
  let answer: ServerResponse | undefined;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    answer = response;
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = createClient(async () => ({ token: 'a.b.c' }), `http://127.0.0.1:${port}/graphql`);
  const draws: Live[] = [];
  const onChange = (live: Live) => draws.push(live);
  const variables = {};
  const gathering = new LiveGathering({ client, variables, isWanted, onChange, onCounts: () => 0 });
  const stop = gathering.start();
  ends.push(() => {
    stop();
    server.closeAllConnections();
    server.close();
  });
  await eventually(() => expect(answer).toBeDefined());
  const give = (...sents: readonly Sent[]) => {
    for (const sent of sents)
      answer?.write(`event: next\ndata: ${JSON.stringify({ data: { live: itemOf(sent) } })}\n\n`);
  };
  const names = () => draws.at(-1)?.rows.map(({ sent }) => sent.messageId) ?? [];
  return { gathering, give, draws, names };
}

function itemOf(sent: Sent) {
  return {
    __typename: 'LiveEvent',
    isBodyCut: false,
    bodyBytes: 2,
    endpoint: '/v1/batch',
    ...sent,
  };
}

test('many events are drawn together', async () => {
  const { give, draws, names } = await gather();
  give(...Array.from({ length: 100 }, (_, second) => sentAt(second)));
  await eventually(() => expect(names()).toHaveLength(100));
  expect(names()[0]).toBe('message-99');
  expect(draws.length).toBeLessThan(20);
});

test('events of the reports come below, each once', async () => {
  const { gathering, give, names } = await gather();
  give(sentAt(5));
  await eventually(() => expect(names()).toHaveLength(1));
  gathering.addEarlier([sentAt(5), sentAt(4), sentAt(3)]);
  await eventually(() => expect(names()).toEqual(['message-5', 'message-4', 'message-3']));
});

test('a held list does not change, and shows everything when it is released', async () => {
  const { gathering, give, draws, names } = await gather();
  gathering.setHeld(true);
  give(sentAt(1), sentAt(2));
  gathering.addEarlier([sentAt(0)]);
  await eventually(() => expect(draws.at(-1)?.heldCount).toBe(2));
  expect(names()).toEqual([]);
  gathering.setHeld(false);
  await eventually(() => expect(names()).toEqual(['message-2', 'message-1', 'message-0']));
});

test('filters ignore case, and match any part of a name or an ID', () => {
  const isWanted = (name: string, user: string) =>
    matcherOf({ name, user }, ({ name }) => name ?? '')(sentAt(0));
  expect(isWanted('vIEW', 'ANN')).toBe(true);
  expect(isWanted('view*', '')).toBe(true);
  expect(isWanted('', 'bob')).toBe(false);
  expect(isWanted('cart', '')).toBe(false);
});
