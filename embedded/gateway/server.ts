// A payment gateway for development. It behaves like the documented one and stores everything in
// memory; no money moves. README.md lists its assumptions.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type ExactObject,
  type WritableObject,
  writeExact,
} from '../../schema/values/exact-json.ts';
import { isWebhook } from '../webhook-headers.ts';
import { checkoutPage } from './checkout.ts';
import { type ControlTools, control } from './control.ts';
import { createFaults, type Fault } from './faults.ts';
import { createRateLimits } from './rate-limits.ts';
import { Refusal, refuse } from './refusal.ts';
import { type Routed, route } from './routes.ts';
import { type Account, type AccountOptions, type Answer, createAccount } from './store.ts';
import { readGiven } from './values.ts';
import { createWebhooks } from './webhooks.ts';

export type GatewayOptions = {
  readonly host?: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** The initial accounts. More can be added with the control endpoint. */
  readonly accounts?: readonly AccountOptions[];
  /** Multiplies the published limits; 0 disables them. */
  readonly rateLimitFactor?: number;
  readonly nowMs?: () => number;
};

export type RunningGateway = {
  readonly port: number;
  /** The value for GATEWAY_BASE_URL. */
  readonly baseUrl: string;
  readonly controlUrl: string;
  stop(): Promise<void>;
};

const BODY_BYTES_MAX = 1_000_000;
const REQUESTS_MAX = 5_000;

type Gateway = ControlTools & {
  readonly requests: WritableObject[];
  readonly limitOf: ReturnType<typeof createRateLimits>;
};

export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { host = '127.0.0.1', port, accounts = [], rateLimitFactor = 1 } = options;
  const nowMs = options.nowMs ?? Date.now;
  let url = '';
  const gateway: Gateway = {
    accounts: new Map(accounts.map(account => [account.clientId, createAccount(account)])),
    faults: createFaults(),
    requests: [],
    webhooks: createWebhooks(nowMs),
    limitOf: createRateLimits(rateLimitFactor, nowMs),
    publicUrl: () => url,
    nowMs,
  };
  const server = createServer((request, response) => {
    handle(gateway, request, response).catch((error: unknown) => {
      const answer = error instanceof Refusal ? error.answer : apiError();
      if (!response.headersSent) send(response, answer);
      if (!(error instanceof Refusal)) process.stderr.write(`gateway: ${String(error)}\n`);
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: listening } = server.address() as AddressInfo;
  url = `http://${host.includes(':') ? `[${host}]` : host}:${listening}`;
  return {
    port: listening,
    baseUrl: `${url}/pg`,
    controlUrl: `${url}/control`,
    stop: () => stop(server, gateway),
  };
}

async function stop(server: Server, { webhooks }: Gateway): Promise<void> {
  webhooks.stop();
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

async function handle(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://gateway');
  const [first, ...path] = pathname.split('/').slice(1);
  const text = await bodyOf(request);
  // A tenant chooses the URL of its webhooks, so a webhook must not reach the control endpoints and
  // pay the tenant's bills.
  if (isWebhook(request.headers)) refuse(403, 'webhook_refused', 'webhooks are not accepted here');
  if (first === 'control') {
    const controlled = control(gateway, path, readGiven(text) ?? {});
    return send(response, { status: 200, body: writeExact(controlled) });
  }
  if (first === 'checkout') {
    const page = checkoutPage(gateway, path);
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' });
    response.end(page);
    return;
  }
  if (first !== 'pg') refuse(404, 'not_found', 'this path does not exist');
  await answerCall(gateway, {
    request,
    response,
    text,
    call: `${request.method} /${path.join('/')}`,
  });
}

type Asked = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly text: string;
  readonly call: string;
};

async function answerCall(gateway: Gateway, asked: Asked): Promise<void> {
  const { request, response, text, call } = asked;
  const key = headerOf(request, 'x-idempotency-key');
  const clientId = headerOf(request, 'x-client-id') ?? '';
  gateway.requests.push({ call, clientId, idempotencyKey: key ?? null, body: text });
  gateway.requests.splice(0, gateway.requests.length - REQUESTS_MAX);
  const account = accountOf(gateway, request);
  requireVersion(request);
  const limit = gateway.limitOf(clientId, call);
  if (limit !== undefined) {
    response.setHeader('x-ratelimit-limit', limit.limit);
    response.setHeader('x-ratelimit-remaining', Math.max(0, limit.remaining));
    if (limit.remaining < 0) return tooMany(response, limit.retrySeconds);
  }
  const fault = gateway.faults.take(clientId, call);
  if (fault !== undefined && !fault.kind.endsWith('_AFTER')) return misbehave(fault, response);
  const routed = route(call) ?? refuse(404, 'not_found', 'this call does not exist');
  const answer = doOnce(account, { key, call, text }, response, () =>
    perform(gateway, account, routed, text),
  );
  if (fault !== undefined) return misbehave(fault, response);
  send(response, answer);
}

function perform(gateway: Gateway, account: Account, routed: Routed, text: string): Answer {
  const { handler, id, innerId } = routed;
  const given: ExactObject =
    text === ''
      ? {}
      : (readGiven(text) ?? refuse(400, 'body_invalid', 'body is not a JSON object'));
  const { webhooks, publicUrl } = gateway;
  const call = { account, id, innerId, given, text, nowMs: gateway.nowMs(), webhooks, publicUrl };
  return { status: 200, body: writeExact(handler(call)) };
}

/**
 * A call with the same key is performed once. A repeat returns the same response, or an error if
 * the body differs.
 */
function doOnce(
  account: Account,
  {
    key,
    call,
    text,
  }: { readonly key: string | undefined; readonly call: string; readonly text: string },
  response: ServerResponse,
  work: () => Answer,
): Answer {
  if (key === undefined) return work();
  const earlier = account.answers.get(`${call} ${key}`);
  if (earlier === undefined) {
    // Errors are thrown and therefore not stored.
    const answer = work();
    account.answers.set(`${call} ${key}`, { body: text, answer });
    return answer;
  }
  if (earlier.body !== text)
    refuse(
      422,
      'request_invalid',
      'the idempotency key was already used with a different body',
      'idempotency_error',
    );
  response.setHeader('x-idempotency-replayed', 'true');
  return earlier.answer;
}

function accountOf({ accounts }: Gateway, request: IncomingMessage): Account {
  const account = accounts.get(headerOf(request, 'x-client-id') ?? '');
  if (account === undefined || account.clientSecret !== headerOf(request, 'x-client-secret'))
    return refuse(401, 'request_failed', 'authentication Failed', 'authentication_error');
  return account;
}

function requireVersion(request: IncomingMessage): void {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(headerOf(request, 'x-api-version') ?? ''))
    refuse(400, 'request_failed', 'version is missing');
}

function misbehave(fault: Fault, response: ServerResponse): void {
  switch (fault.kind) {
    case 'DROP_AFTER':
      response.destroy();
      return;
    case 'HANG':
    case 'HANG_AFTER':
      return;
    case 'RATE_LIMIT':
      tooMany(response, fault.retryAfterSeconds);
      return;
    case 'REFUSE':
      send(response, new Refusal(400, 'request_invalid', 'the request was rejected').answer);
      return;
    case 'BUSY_WITH_IT':
      send(
        response,
        new Refusal(409, 'request_in_progress', 'the request is already in progress').answer,
      );
      return;
    case 'ERROR':
    case 'ERROR_AFTER':
      send(response, apiError());
      return;
    case 'HTML':
      response.writeHead(502, { 'content-type': 'text/html' });
      response.end('<html><body>502 Bad Gateway</body></html>');
      return;
    case 'MALFORMED':
      send(response, { status: 200, body: '{"cf_order_id":' });
      return;
  }
}

function tooMany(response: ServerResponse, retrySeconds: number): void {
  response.setHeader('x-ratelimit-retry', retrySeconds);
  const message = 'Too many requests from IP. Check headers';
  const type = 'rate_limit_error';
  send(response, { status: 429, body: writeExact({ message, code: 'request_failed', type }) });
}

function apiError(): Answer {
  const message = 'internal Server Error';
  return { status: 500, body: writeExact({ message, code: 'internal_error', type: 'api_error' }) };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-request-id': `req_${Date.now().toString(36)}`,
  });
  response.end(body);
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) refuse(413, 'body_invalid', 'the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
