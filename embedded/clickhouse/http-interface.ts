// The part of ClickHouse's HTTP interface that its clients use.
// https://clickhouse.com/docs/interfaces/http

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { createAnswer, refuse } from './answer.ts';
import { EXCEPTION_CODES, Exception, exception, exceptionText } from './exception.ts';
import { foreignPage } from './foreign-page.ts';
import {
  HEADER_BYTES_MAX,
  KEEP_ALIVE_MS,
  REQUEST_TIMEOUT_MS,
  STATEMENT_BYTES_MAX,
} from './limits.ts';
import type { LoginRequests } from './logins/login-request.ts';
import { readLoginStatement } from './logins/login-statement.ts';
import type { Login, LoginStore } from './logins/login-store.ts';
import { multipartBoundary, multipartFields } from './multipart.ts';
import { TYPES_IN_BINARY, toRevision } from './native-format/revision.ts';
import { refuseWrites } from './read-only.ts';
import { type Received, receiveStatement } from './receive-statement.ts';
import { requestBody } from './request-body.ts';
import { isInBlocks, type RequestParameters, requestParameters } from './request-parameters.ts';
import { type Runner, runStatement } from './run-statement.ts';
import type { Sessions } from './sessions.ts';

export type HttpInterface = {
  readonly runner: Runner;
  readonly sessions: Sessions;
  readonly logins: LoginRequests & { readonly store: LoginStore };
  /** Rows are stored here until their body is complete. */
  readonly bodiesDirectory: string;
  /** Called with a bug of this process, for the log. */
  onFault(error: unknown): void;
};

const NO_HANDLE =
  'There is no handle here.\n\nUse / for queries and /ping or /replicas_status for health checks.\n';

/** `ready` settles once the engine is open; earlier requests wait for it. */
export function createHttpServer(ready: Promise<HttpInterface>): Server {
  const server = createServer(
    { maxHeaderSize: HEADER_BYTES_MAX, requestTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      ready.then(http => serve(http, request, response)).catch(() => response.socket?.destroy());
    },
  );
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

async function serve(
  http: HttpInterface,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { engine } = http.runner;
  const foreign = foreignPage(request);
  if (foreign !== undefined)
    return refuse(response, foreign, exceptionText(foreign, engine.version));
  response.setHeader('X-ClickHouse-Server-Display-Name', hostname());
  response.setHeader('X-ClickHouse-Timezone', engine.timezone);
  const url = URL.canParse(request.url ?? '', 'http://localhost')
    ? new URL(request.url ?? '', 'http://localhost')
    : undefined;
  if (url?.pathname === '/ping' || url?.pathname === '/replicas_status') return ok(response);
  if (url?.pathname !== '/') {
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=UTF-8' }).end(NO_HANDLE);
    return;
  }
  if (!['GET', 'POST', 'PUT'].includes(request.method ?? '')) {
    response.writeHead(405, { Allow: 'GET, POST, PUT' }).end();
    return;
  }
  try {
    await serveStatement(http, request, response, url);
  } catch (error) {
    if (!(error instanceof Exception)) http.onFault(error);
    if (response.headersSent || response.closed) {
      response.socket?.destroy();
      return;
    }
    const problem =
      error instanceof Exception
        ? error
        : new Exception(EXCEPTION_CODES.UNKNOWN_EXCEPTION, 'UNKNOWN_EXCEPTION', String(error));
    refuse(response, problem, exceptionText(problem, engine.version));
  }
}

async function serveStatement(
  http: HttpInterface,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  // Registered first, because a client may disconnect as soon as its body is sent.
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const boundary = multipartBoundary(request.headers['content-type']);
  const body = requestBody(request, isInBlocks(url));
  const fields = boundary === undefined ? [] : multipartFields(await wholeBody(body), boundary);
  const parameters = requestParameters(request, url, fields);
  const { defaultFormat } = parameters;
  response.setHeader('X-ClickHouse-Query-Id', parameters.queryId);
  const login = http.logins.store.identify(parameters.credentials);
  const sent = boundary === undefined ? body : nothing();
  const received = await receiveStatement(
    parameters.query,
    // A login inserts nothing, so its body is no larger than a statement.
    login === undefined ? sent : inOnePiece(sent),
    defaultFormat,
    http.bodiesDirectory,
  );
  if (received.kind === 'empty') return ok(response);

  try {
    if (login !== undefined && received.kind !== 'read')
      throw exception('READONLY', 'A login can only read');
    if (login === undefined && (await changeLogins(http, received))) return ok(response);
    await answerStatement(http, parameters, login, received, response, gone.signal);
  } finally {
    if (received.kind === 'insert') await received.discard();
  }
}

/** True if the statement creates, changes or ends logins, which the engine cannot do. */
async function changeLogins({ logins }: HttpInterface, received: Received): Promise<boolean> {
  const statement = received.kind === 'other' ? readLoginStatement(received.text) : undefined;
  if (statement !== undefined) await logins.store.apply(statement);
  return statement !== undefined;
}

async function answerStatement(
  { runner, sessions, logins }: HttpInterface,
  { scope, defaultFormat, session: named, revision, ...options }: RequestParameters,
  login: Login | undefined,
  received: Exclude<Received, { kind: 'empty' }>,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  // A login changes no state that a session could keep.
  const session = login === undefined ? named : undefined;
  if (session !== undefined) refuseWrites(received, scope.settings.get('readonly'));
  const format = received.kind === 'read' ? received.format : defaultFormat;
  const isRewritten = revision > 0 && received.kind !== 'insert' && /^native$/i.test(format);
  const settings = isRewritten
    ? new Map([...scope.settings, [TYPES_IN_BINARY, '1'] as const])
    : scope.settings;
  const answer = createAnswer(response, {
    ...options,
    format,
    rewriting: isRewritten ? toRevision(revision) : undefined,
    version: runner.engine.version,
  });
  const turn = login === undefined ? undefined : await logins.takeTurn(login, signal);
  const loan = session === undefined ? undefined : sessions.take(session);
  const run =
    login === undefined ? logins.answered(loan?.run ?? runner.engine.run) : logins.runAs(login);
  try {
    const job = { scope: { ...scope, settings }, run, defaultFormat, signal };
    // A client may name the session again as soon as its response ends.
    const running = runStatement(runner, job, received, answer);
    await answer.end(
      await running.finally(() => {
        loan?.giveBack();
        turn?.giveBack();
      }),
    );
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof Exception)) throw error;
    await answer.fail(error);
  }
}

function ok(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/html; charset=UTF-8' }).end('Ok.\n');
}

async function wholeBody(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > STATEMENT_BYTES_MAX)
      throw new Exception(
        EXCEPTION_CODES.QUERY_IS_TOO_LARGE,
        'QUERY_IS_TOO_LARGE',
        `The body is larger than ${STATEMENT_BYTES_MAX} bytes`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function* inOnePiece(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield await wholeBody(body);
}

async function* nothing(): AsyncGenerator<Buffer> {}
