import { afterAll, expect, test } from 'vitest';
import { createBell } from '../../../../graphql-api/webhooks/dispatch/bell.ts';
import type { ClaimedDelivery } from '../../../../graphql-api/webhooks/dispatch/claim-deliveries.ts';
import { Dispatcher } from '../../../../graphql-api/webhooks/dispatch/dispatcher.ts';
import { createResolve } from '../../../../graphql-api/webhooks/dispatch/resolve-host.ts';
import {
  createSender,
  SEND_TIMING,
} from '../../../../graphql-api/webhooks/dispatch/send-webhook.ts';
import { newWebhookSecret } from '../../../../graphql-api/webhooks/signature.ts';
import { eventually } from '../../../harness/eventually.ts';
import { httpReceiver } from './hostile-servers.ts';

const sender = createSender({
  isLoopbackAllowed: true,
  servicePorts: new Set(),
  resolve: createResolve(),
  timing: SEND_TIMING,
});
afterAll(() => sender.close());

const CLAIM: ClaimedDelivery = {
  id: 'delivery',
  endpointId: 'endpoint',
  workspaceId: 'workspace',
  eventId: 'event',
  cause: 'SCHEDULED',
  isTest: false,
  attempts: 0,
  step: 0,
  type: 'order.paid',
  occurredAt: '2026-01-15T12:00:00.500Z',
  payload: '{}',
  requestId: null,
};

function dispatcherAt(nowMs: () => number): Dispatcher {
  return new Dispatcher({
    sender,
    nowMs,
    random: Math.random,
    wanting: createBell(),
    settling: createBell(),
    signal: new AbortController().signal,
  });
}

const DUE = [{ id: 'endpoint', state: 'ENABLED', isFailing: false }] as const;

test('a clock that is set back does not extend a pause', async () => {
  const { url } = await httpReceiver((_request, answer) => {
    answer.writeHead(429, { 'retry-after': '60' }).end();
  });
  let nowMs = Date.now() + 24 * 3_600_000;
  const dispatcher = dispatcherAt(() => nowMs);
  const endpoint = { id: 'endpoint', url, secrets: [newWebhookSecret()] };
  dispatcher.accept({ endpoint, deliveries: [CLAIM] });
  await eventually(() => expect(dispatcher.unwritten(10).results).toHaveLength(1));
  dispatcher.written(dispatcher.unwritten(10));
  expect(dispatcher.allowances(DUE)).toEqual([]);
  nowMs -= 24 * 3_600_000;
  expect(dispatcher.allowances(DUE)).toHaveLength(1);
});

test('a delivery claimed again after its claim expired leaves no claim behind', async () => {
  const { url, received } = await httpReceiver((_request, answer) => void answer.end());
  const dispatcher = dispatcherAt(() => Date.now());
  const endpoint = { id: 'endpoint', url, secrets: [newWebhookSecret()] };
  const allowed = () => dispatcher.allowances(DUE)[0]!.max;
  const before = allowed();
  dispatcher.accept({ endpoint, deliveries: [CLAIM] });
  dispatcher.accept({ endpoint, deliveries: [{ ...CLAIM, attempts: 1 }] });
  expect(dispatcher.claims().map(({ attempts }) => attempts)).toEqual([0, 1]);
  await eventually(() => expect(dispatcher.unwritten(10).results).toHaveLength(2));
  expect(received).toHaveLength(2);
  dispatcher.written(dispatcher.unwritten(10));
  expect(dispatcher.claims()).toEqual([]);
  // Each of the two responses allows one more delivery.
  expect(allowed()).toBe(before + 2);
});
