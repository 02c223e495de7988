// The client on its own, with the development gateway: its result for each kind of failure.

import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import type { FaultKind } from '../../../../embedded/gateway/faults.ts';
import {
  createGatewayClient,
  type GatewayAccount,
  type GatewayAnswer,
  type GatewayRequest,
} from '../../../../graphql-api/payments/client/gateway-client.ts';
import { Decimal, textField } from '../../../../schema/values/exact-json.ts';
import { useGateway } from '../../../harness/gateway.ts';

const gateway = useGateway();

/**
 * Long enough for a busy machine. A call that hangs takes three times as long, because of retries.
 */
const ATTEMPT_TIMEOUT_MS = 1_500;

type Client = {
  readonly account: GatewayAccount;
  call(request: GatewayRequest): Promise<GatewayAnswer>;
  /** Injects a fault into the account's next calls. */
  fault(kind: FaultKind, times?: number, retryAfterSeconds?: number): Promise<void>;
  attempts(): Promise<number>;
};

async function connect(baseUrl = gateway().baseUrl): Promise<Client> {
  const { clientId, clientSecret } = await gateway().addAccount();
  const account: GatewayAccount = {
    accountId: uuidv7(),
    environment: 'PRODUCTION',
    clientId,
    clientSecret,
  };
  const client = createGatewayClient({
    baseUrl,
    attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
    newId: uuidv7,
  });
  return {
    account,
    call: request => client.call(account, request),
    fault: async (kind, times = 1, retryAfterSeconds = 0) => {
      const numbers = { times: String(times), retryAfterSeconds: String(retryAfterSeconds) };
      await gateway().control('faults', { clientId, kind, ...numbers });
    },
    attempts: async () => {
      const calls = await gateway().calls('');
      return calls.filter(call => call.clientId === clientId).length;
    },
  };
}

function order(orderId = `order_${uuidv7()}`, key: string | undefined = orderId): GatewayRequest {
  return {
    method: 'POST',
    path: ['orders'],
    call: 'createOrder',
    body: {
      order_id: orderId,
      order_amount: new Decimal('170.50'),
      order_currency: 'INR',
      customer_details: { customer_id: 'shopper', customer_phone: '9999999999' },
    },
    ...(key !== '' && { idempotencyKey: key }),
  };
}

function look(orderId: string): GatewayRequest {
  return { method: 'GET', path: ['orders', orderId], call: 'getOrder' };
}

function faultOf(answer: GatewayAnswer) {
  if (answer.isOk) throw new Error('it succeeded');
  return answer.fault;
}

describe.concurrent('a call', () => {
  test.for<FaultKind>(['DROP_AFTER', 'ERROR_AFTER', 'ERROR', 'HTML', 'MALFORMED', 'HANG_AFTER'])(
    'with a key is retried after %s, and is performed once',
    async kind => {
      const client = await connect();
      await client.fault(kind);
      const request = order();
      const answer = await client.call(request);
      expect(answer, JSON.stringify(answer)).toMatchObject({ isOk: true });
      expect(await client.attempts()).toBe(2);
    },
  );

  test.for<FaultKind>(['DROP_AFTER', 'ERROR', 'HTML', 'MALFORMED', 'HANG'])(
    'without a key is not retried after %s, because it may have been performed',
    async kind => {
      const client = await connect();
      await client.fault(kind);
      expect(faultOf(await client.call(order(undefined, ''))).kind).toBe('UNKNOWN');
      expect(await client.attempts()).toBe(1);
    },
  );

  test.for<[FaultKind, string]>([
    ['DROP_AFTER', 'connection_lost'],
    ['ERROR', 'internal_error'],
    ['HTML', 'not_json'],
    ['MALFORMED', 'not_json'],
    ['HANG', 'timed_out'],
  ])('that always gets %s has an unknown outcome, with the code %s', async ([kind, code]) => {
    const client = await connect();
    await client.fault(kind, 3);
    expect(faultOf(await client.call(order()))).toMatchObject({ kind: 'UNKNOWN', code });
    expect(await client.attempts()).toBe(3);
  });

  test('waits for a short Retry-After', async () => {
    const client = await connect();
    await client.fault('RATE_LIMIT', 1, 1);
    const request = order();
    expect((await client.call(request)).isOk).toBe(true);
    expect(await client.attempts()).toBe(2);
  });

  test('is not retried after a long Retry-After', async () => {
    const client = await connect();
    await client.fault('RATE_LIMIT', 3, 30);
    const fault = faultOf(await client.call(order()));
    expect(fault).toMatchObject({ kind: 'BUSY', status: 429, retryAfterSeconds: 30 });
    expect(fault).toMatchObject({ code: 'request_failed', type: 'rate_limit_error' });
    expect(await client.attempts()).toBe(1);
  });

  test('for the same object with another key is a conflict, with the gateway’s message', async () => {
    const client = await connect();
    const id = `order_${uuidv7()}`;
    await client.call(order(id));
    expect(faultOf(await client.call(order(id, 'another-key')))).toMatchObject({
      kind: 'REFUSED',
      status: 409,
      code: 'order_already_exists',
      message: 'order with same id is already present',
    });
  });

  test('with the same key and another body is refused with 422', async () => {
    const client = await connect();
    await client.call(order('order_one', 'one-key'));
    const fault = faultOf(await client.call(order('order_two', 'one-key')));
    expect(fault).toMatchObject({ kind: 'REFUSED', status: 422, type: 'idempotency_error' });
  });

  test('with a wrong secret is denied', async () => {
    const client = await connect();
    const other = createGatewayClient({
      baseUrl: gateway().baseUrl,
      attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
      newId: uuidv7,
    });
    const account = { ...client.account, clientSecret: 'wrong' };
    const fault = faultOf(await other.call(account, order()));
    expect(fault).toMatchObject({ kind: 'DENIED', status: 401, type: 'authentication_error' });
  });

  test('for an unknown object returns 404', async () => {
    const client = await connect();
    expect(faultOf(await client.call(look('nothing')))).toMatchObject({
      kind: 'REFUSED',
      status: 404,
    });
  });

  test('that deletes can have an empty response', async () => {
    const empty = createHttpServer((_request, response) => void response.writeHead(204).end());
    empty.listen(0, '127.0.0.1');
    await once(empty, 'listening');
    const { port } = empty.address() as AddressInfo;
    const client = await connect(`http://127.0.0.1:${port}/pg`);
    const path = ['easy-split', 'vendors', 'one'];
    const answer = await client.call({ method: 'DELETE', path, call: 'vendors' });
    expect(answer).toMatchObject({ isOk: true, body: {} });
    expect(faultOf(await client.call(order(undefined, ''))).code).toBe('not_json');
    empty.closeAllConnections();
    empty.close();
  });

  test('to an unreachable host was not made', async () => {
    const dead = createServer();
    dead.listen(0, '127.0.0.1');
    await once(dead, 'listening');
    const { port } = dead.address() as AddressInfo;
    dead.close();
    await once(dead, 'close');
    const client = await connect(`http://127.0.0.1:${port}/pg`);
    expect(faultOf(await client.call(order()))).toMatchObject({
      kind: 'AWAY',
      code: 'not_reached',
    });
  });

  test('is not attempted after many failures of the same account', async () => {
    const client = await connect();
    await client.fault('HTML', 6);
    await client.call(order());
    await client.call(order());
    expect(faultOf(await client.call(order())).code).toBe('broken_circuit');
    expect(await client.attempts()).toBe(6);
    const other = await connect();
    expect((await other.call(order())).isOk).toBe(true);
  });

  test('returns IDs beyond 2^53 with all their digits', async () => {
    const client = await connect();
    const id = `order_${uuidv7()}`;
    await client.call(order(id));
    const { cfPaymentId } = await gateway().control(`orders/${id}/pay`);
    expect(BigInt(cfPaymentId!)).toBeGreaterThan(2n ** 53n);
    const refund: GatewayRequest = {
      method: 'POST',
      path: ['orders', id, 'refunds'],
      call: 'createRefund',
      idempotencyKey: 'refund1',
      body: { refund_id: 'refund1', refund_amount: new Decimal('0.01') },
    };
    const answer = await client.call(refund);
    expect(answer.isOk && textField(answer.body, 'cf_payment_id')).toBe(cfPaymentId);
  });
});
