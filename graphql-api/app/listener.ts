// The short way of a GraphQL request whose document has gone the whole way before: no Request, no
// Response, nothing looked at twice. What it can't answer it hands to the whole way (server.ts) before
// anything is done, so that there is one place for refusals.

import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import { processRegularResult } from 'graphql-yoga';
import { type AppDeps, type Context, createContext } from '../platform/context.ts';
import { faultCode } from '../platform/fault-code.ts';
import { graphqlRefusal } from '../platform/graph/graphql-refusal.ts';
import { BODY_BYTES_MAX } from '../platform/graph/limits.ts';
import type { Identify } from '../platform/identify.ts';
import { recordRequest, requestIdFrom } from '../platform/observe/record-request.ts';
import { rejection } from '../platform/rejected.ts';
import { type AnswerType, answerTypeOf } from './answer-type.ts';
import type { KnownOperation, KnownOperations } from './known-operations.ts';
import type { Readiness } from './operating-routes.ts';
import { runKnown, type Variables } from './run-known.ts';
import { ANSWER_HEADERS, GRAPHQL_PATH } from './server.ts';

export type Listener = (request: IncomingMessage, answer: ServerResponse) => void;

export type ListenerParts = {
  readonly identify: Identify;
  readonly known: KnownOperations;
  readonly readiness: Readiness;
  readonly wholeWay: Listener;
};

/** What clients send; others are for yoga to make out. */
const BODY_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i;

export function createListener(deps: AppDeps, parts: ListenerParts): Listener {
  return (request, answer) => {
    const type = answerTypeOf(request.headers.accept);
    if (type === undefined || !isOrdinary(request)) return parts.wholeWay(request, answer);
    takeShortWay(deps, parts, { request, answer, type }).catch((error: unknown) => {
      // Handled by nobody, it would end the process and every other request with it.
      deps.log.error({ err: error }, 'a request failed');
      answer.destroy();
    });
  };
}

function isOrdinary({ method, url, headers }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    url === GRAPHQL_PATH &&
    BODY_TYPE.test(headers['content-type'] ?? '') &&
    Number(headers['content-length']) <= BODY_BYTES_MAX
  );
}

type Exchange = {
  readonly request: IncomingMessage;
  readonly answer: ServerResponse;
  readonly type: AnswerType;
};

async function takeShortWay(
  deps: AppDeps,
  parts: ListenerParts,
  { request, answer, type }: Exchange,
): Promise<void> {
  const startedAtMs = performance.now();
  const header = (name: string) => request.headers[name] as string | undefined;
  const { viewer } = await parts
    .identify({ get: name => header(name) ?? null })
    .catch(() => ({ viewer: undefined }));
  // Nothing is read from strangers.
  if (viewer === undefined) return parts.wholeWay(request, answer);
  const body = await readBody(request);
  if (body === undefined) return;
  const asked = readParams(body, parts.known);
  const requestId = requestIdFrom(header('x-request-id'));
  const context = createContext(deps, requestId, viewer);
  const running = asked && runKnown(asked.known, asked.variables, context);
  if (running === undefined) {
    // Where the whole way looks for a body that is read already.
    Object.assign(request, { rawBody: body });
    return parts.wholeWay(request, answer);
  }
  const headers = () => ({
    'x-request-id': requestId,
    ...ANSWER_HEADERS,
    'cache-control': 'no-store',
    ...(parts.readiness.isDraining() && { connection: 'close' }),
  });
  try {
    const status = await settle(running, { answer, type, headers }, context);
    recordRequest(deps, {
      requestId,
      method: 'POST',
      route: GRAPHQL_PATH,
      status,
      startedAtMs,
      context,
    });
  } finally {
    await finish(context);
  }
}

type Answering = Pick<Exchange, 'answer' | 'type'> & {
  /** As they are when it is answered: the process may have begun to stop since it was asked. */
  readonly headers: () => OutgoingHttpHeaders;
};

async function settle(
  running: Promise<ExecutionResult>,
  { answer, type, headers }: Answering,
  { deps, requestId }: Context,
): Promise<number> {
  try {
    const result = await running;
    if (result.errors !== undefined)
      return await send(answer, headers(), answerWithErrors(result, type));
    const text = JSON.stringify(result);
    answer.writeHead(200, {
      'content-type': `${type}; charset=utf-8`,
      'content-length': Buffer.byteLength(text),
      ...headers(),
    });
    answer.end(text);
    return 200;
  } catch (error) {
    deps.log.error({ err: error, requestId }, 'a request failed');
    const code = faultCode(error as Error);
    deps.metrics.refusals.inc({ code });
    return send(answer, headers(), graphqlRefusal(rejection(code), requestId));
  }
}

/** Undefined where the client has gone before its end. */
function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise(resolve => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
  });
}

type Asked = {
  readonly known: KnownOperation;
  readonly variables: Variables | null | undefined;
};

/** Undefined for what isn't known, and for whatever is out of the ordinary. */
function readParams(body: Buffer, operations: KnownOperations): Asked | undefined {
  const params = parseJson(body.toString());
  if (!isObject(params)) return undefined;
  const { query, variables, operationName, extensions, ...others } = params;
  if (Object.keys(others).length > 0) return undefined;
  if (!isObject(variables ?? {}) || !isObject(extensions ?? {})) return undefined;
  const known = operations.find({ query, operationName, extensions });
  return known && { known, variables: variables as Asked['variables'] };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As yoga has it: statuses and headers of its own are in the errors. */
function answerWithErrors(result: ExecutionResult, type: AnswerType): Response {
  const fetchApi = { Response } as Parameters<typeof processRegularResult>[1];
  return processRegularResult(result, fetchApi, type) as Response;
}

async function send(
  answer: ServerResponse,
  headers: OutgoingHttpHeaders,
  response: Response,
): Promise<number> {
  const text = await response.text();
  const length = { 'content-length': Buffer.byteLength(text) };
  const { status } = response;
  answer.writeHead(status, { ...Object.fromEntries(response.headers), ...length, ...headers });
  answer.end(text);
  return status;
}

/** The answer does not wait for it. */
async function finish(context: Context): Promise<void> {
  try {
    await context.finish();
  } catch (error) {
    context.deps.log.error({ err: error, requestId: context.requestId }, 'a read did not end');
  }
}
