// The channels' approvers for development: the messaging app's platform and an SMS registrar, as
// documented. State is in memory only. graphql-api/templates/approval/README.md lists the
// assumptions.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isWebhook } from '../webhook-headers.ts';
import { type Answer, type Asked, platformCall, refusal, registrarCall } from './calls.ts';
import { type ControlTools, control } from './control.ts';
import { createLife } from './life.ts';
import { createStore } from './store.ts';
import { createWebhooks, type Targets } from './webhooks.ts';

export type ApproverOptions = {
  readonly host?: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly accountId: string;
  readonly accessToken: string;
  readonly messagingAppSecret: string;
  readonly smsSecret: string;
  /** The URL for verdicts, if it is known already. */
  readonly messagingAppWebhook?: string | undefined;
  readonly smsWebhook?: string | undefined;
  readonly seed?: number;
  readonly nowMs?: () => number;
};

export type RunningApprover = {
  readonly port: number;
  /** The value for MESSAGING_APP_API_URL; `registrarUrl` is the value for SMS_REGISTRAR_URL. */
  readonly platformUrl: string;
  readonly registrarUrl: string;
  readonly controlUrl: string;
  stop(): Promise<void>;
};

const VERSION = 'v23.0';
const BODY_BYTES_MAX = 1_000_000;
const REQUESTS_MAX = 2_000;
const SEED = 7;

type Approver = ControlTools & Pick<ApproverOptions, 'accountId' | 'accessToken'>;

export async function startApprover(options: ApproverOptions): Promise<RunningApprover> {
  const { host = '127.0.0.1', port, accountId, accessToken, seed = SEED } = options;
  const store = createStore(seed);
  const targets: Targets = {
    messaging_app: { url: options.messagingAppWebhook, secret: options.messagingAppSecret },
    sms: { url: options.smsWebhook, secret: options.smsSecret },
  };
  const webhooks = createWebhooks(targets, store.random);
  const nowMs = options.nowMs ?? Date.now;
  const life = createLife(store, webhooks, { accountId, nowMs });
  const approver: Approver = { store, life, webhooks, targets, accountId, accessToken };
  const server = createServer((request, response) => {
    handle(approver, request, response).catch((error: unknown) => {
      process.stderr.write(`approver: ${String(error)}\n`);
      response.destroy();
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: listening } = server.address() as AddressInfo;
  const url = `http://${host}:${listening}`;
  return {
    port: listening,
    platformUrl: `${url}/${VERSION}`,
    registrarUrl: `${url}/registrar`,
    controlUrl: `${url}/control`,
    async stop() {
      life.stop();
      webhooks.stop();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function handle(
  approver: Approver,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://approver');
  const [first = '', ...path] = pathname.split('/').slice(1);
  const text = await bodyOf(request);
  const body = jsonOf(text);
  // A tenant chooses the URLs of its webhooks and must not approve its own templates with them.
  if (isWebhook(request.headers))
    return send(response, refusal(403, '200', 'Webhooks are not accepted here.'));
  if (first === 'control') {
    const result = await control(approver, path.join('/'), body);
    return send(response, { status: result === undefined ? 404 : 200, body: result ?? {} });
  }
  const { store } = approver;
  const call = `${request.method} /${first}/${path.join('/')}`;
  store.requests.push({ call, body: text });
  store.requests.splice(0, store.requests.length - REQUESTS_MAX);
  const fault = store.faults.find(({ on, left }) => left > 0 && call.startsWith(on));
  if (fault !== undefined) fault.left--;
  if (fault?.kind === 'ERROR') return send(response, { status: 500, body: {} });
  if (fault?.kind === 'RATE_LIMIT')
    return send(response, {
      status: 400,
      body: { error: { code: 80008, message: 'Too many calls' } },
    });
  const isDenied = request.headers.authorization !== `Bearer ${approver.accessToken}`;
  if (isDenied || fault?.kind === 'DENIED')
    return send(response, {
      status: 401,
      body: { error: { code: 190, message: 'Invalid token' } },
    });
  const asked: Asked = {
    method: request.method ?? 'GET',
    path,
    query,
    body,
    url: `http://${request.headers.host}${request.url}`,
  };
  const answer = answerOf(approver, first, asked);
  if (fault?.kind === 'DROP_AFTER') response.destroy();
  else send(response, answer);
}

function answerOf(approver: Approver, first: string, asked: Asked): Answer {
  if (first === 'registrar') return registrarCall(approver, asked);
  const [account, ...path] = asked.path;
  if (first !== VERSION || account !== approver.accountId)
    return refusal(404, '33', 'The account does not exist.');
  return platformCall(approver, { ...asked, path });
}

function jsonOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text || '{}');
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Error('the request body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
