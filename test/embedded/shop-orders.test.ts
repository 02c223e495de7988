// The orders of the demo shop, with a gateway and an API that remember the links only.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { takeFirstOrders, takeOrders } from '../../embedded/shop/take-orders.ts';
import { Tally } from '../../embedded/shop/tally.ts';

const PAGE = 100;
const FIRST = [1042, 1043, 1044, 1045].map(number => `Order ${number}`);
const OTHERS = Array.from({ length: PAGE + 1 }, () => 'Invoice');

type Asked = {
  readonly query: string;
  readonly variables: { readonly after?: string | null; readonly input?: { purpose: string } };
};

/** Returns the purposes that a shop adds to those of earlier links, oldest first. */
async function added(earlier: readonly string[]): Promise<readonly string[]> {
  const links = [...earlier];
  const stop = new AbortController();
  let isLast = false;
  const answer = ({ query, variables: { after, input } }: Asked): object => {
    if (!query.includes('gatewayLinks(')) {
      links.push(input!.purpose);
      return { gatewayLinkCreate: { gatewayLink: { linkId: 'link' }, userErrors: [] } };
    }
    const start = Number(after ?? 0);
    const nodes = links
      .toReversed()
      .slice(start, start + PAGE)
      .map(purpose => ({ purpose }));
    const end = start + nodes.length;
    const pageInfo = { hasNextPage: end < links.length, endCursor: String(end) };
    return { gatewayLinks: { nodes, pageInfo } };
  };
  const server = createServer(async (request, response) => {
    const asked = await json(request);
    const isPayment = request.url !== '/graphql';
    if (isPayment && isLast) stop.abort();
    const body = isPayment ? { cfPaymentId: 'payment' } : { data: answer(asked as Asked) };
    response.end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const demo = {
    baseUrl: url,
    gatewayUrl: url,
    workspaceId: 'workspace',
    propertyId: 'property',
    writeKey: 'key',
    accessToken: async () => 'token',
  };
  const orders = { tally: new Tally(), signal: stop.signal };
  await takeFirstOrders(demo, orders);
  isLast = true;
  await takeOrders(demo, orders);
  return links.slice(earlier.length);
}

test.each([
  ['begin with the first ones', [], [...FIRST, 'Order 1046']],
  ['continue after a part of the first ones', FIRST.slice(0, 2), [...FIRST.slice(2), 'Order 1046']],
  ['continue after many links without an order', [...FIRST, ...OTHERS], ['Order 1046']],
  [
    'continue after later ones without the first ones',
    [...FIRST, ...OTHERS, 'Order 1050', ...OTHERS],
    ['Order 1051'],
  ],
])('the orders of a shop %s', async (_what, earlier, expected) => {
  expect(await added(earlier)).toEqual(expected);
});
