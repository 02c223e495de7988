// Handles a request: assigns its ID, logs it, limits its body, identifies the viewer, then runs GraphQL or
// REST with the same Context. All errors are converted to responses here.

import type { IncomingMessage } from 'node:http';
import { Hono, type Context as HonoContext, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import { telemetry } from '../../schema/telemetry/telemetry.ts';
import { isConnectionError } from '../platform/connection-error.ts';
import { type AppDeps, type Context, createContext } from '../platform/context.ts';
import { graphqlRefusal } from '../platform/graph/public-errors.ts';
import type { HttpEnv } from '../platform/http-env.ts';
import type { Identify } from '../platform/identify.ts';
import { recordRequest, requestIdFrom } from '../platform/observe/record-request.ts';
import { withRequestId } from '../platform/observe/request-id.ts';
import {
  Rejected,
  type Rejection,
  refusalAnswer,
  rejection,
  unavailable,
} from '../platform/rejected.ts';
import { consoleRoutes } from './console-routes.ts';
import { metricsRoutes, probeRoutes, type Readiness } from './operating-routes.ts';

type ServerParts = {
  readonly identify: Identify;
  readonly graphql: (request: Request, context: Context) => Response | Promise<Response>;
  readonly rest: Hono<HttpEnv>;
  readonly readiness: Readiness;
};

const GRAPHQL_PATH = '/graphql';
/** The same limit as ingest's. */
const BODY_BYTES_MAX = 512_000;
/** nginx's status for the log and the metrics. */
const CLIENT_CLOSED_REQUEST = 499;

export function createServer(deps: AppDeps, parts: ServerParts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const refuse = createRefuse(deps);
  // Before the middleware, because probes and scrapes are not requests of a tenant.
  app.route('/', probeRoutes(deps, parts.readiness));
  if (deps.config.operations === undefined) app.route('/', metricsRoutes(deps));
  app.use(observe(deps, parts.readiness));
  app.use(limitBody(refuse));
  app.use(identifyViewer(deps, parts.identify, refuse));
  app.all(GRAPHQL_PATH, c => parts.graphql(c.req.raw, c.var.context));
  app.route('/', parts.rest);
  app.route('/', consoleRoutes({ signIn: deps.config.consoleSignIn, clock: deps.clock }));
  app.notFound(c => {
    const methods = methodsOf(parts.rest, c.req.path);
    // A route can support the method and still return 404.
    if (methods.length === 0 || methods.includes(c.req.method)) return refuse(c, 'NOT_FOUND');
    const answer = refuse(c, 'METHOD_NOT_ALLOWED');
    answer.headers.set('allow', methods.join(', '));
    return answer;
  });
  app.onError((error, c) => {
    if (error instanceof Rejected) return refuse(c, error.rejections);
    // Hono's own errors: invalid JSON, and another media type.
    if (error instanceof HTTPException && error.status === 400) return refuse(c, 'MALFORMED_JSON');
    if (error instanceof HTTPException && error.status === 415)
      return refuse(c, [
        rejection('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the body as application/json.' }),
      ]);
    // The client closed the connection, so this is not an error of the service.
    if (hasHungUp(c)) return new Response(null, { status: CLIENT_CLOSED_REQUEST });
    if (isConnectionError(error)) {
      deps.reportOutage(error);
      return refuse(c, [unavailable()]);
    }
    deps.log.error({ err: error, requestId: requestIdOf(c) }, 'request failed');
    return refuse(c, 'INTERNAL_SERVER_ERROR');
  });
  return app;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The methods that the path supports; GET implies HEAD. */
function methodsOf(rest: Hono<HttpEnv>, path: string): readonly string[] {
  const known = METHODS.filter(method => rest.router.match(method, path)[0].length > 0);
  return known.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}

/** The headers of all responses. */
const ANSWER_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** Sets the headers of all responses, and records the request in the log and the metrics. */
function observe(deps: AppDeps, { isPortClosed }: Readiness): MiddlewareHandler {
  return async (c, next) => {
    const startedAtMs = performance.now();
    const requestId = requestIdFrom(c.req.header('x-request-id'));
    c.set('requestId', requestId);
    await withRequestId(requestId, () => traced(c, next));
    const answer = c.res.headers;
    answer.set('x-request-id', requestId);
    for (const [name, value] of Object.entries(ANSWER_HEADERS)) answer.set(name, value);
    if (!answer.has('cache-control')) answer.set('cache-control', 'no-store');
    // Not earlier: while the port is open, a client that reconnects would return to this process.
    if (isPortClosed()) answer.set('connection', 'close');
    const { status } = c.res;
    recordRequest(deps, {
      requestId,
      method: c.req.method,
      route: status === 404 ? 'none' : routePath(c, -1),
      status,
      startedAtMs,
      context: c.get('context') as Context | undefined,
    });
  };
}

/** In a span of the request, if there is a collector. */
function traced(c: HonoContext, next: () => Promise<void>): Promise<void> {
  const collector = telemetry();
  if (collector === undefined) return next();
  return collector.serve(c.req.header('traceparent'), async end => {
    await next();
    const { operation } = (c.get('context') as Context | undefined)?.notes ?? {};
    const { status } = c.res;
    const route = status === 404 ? 'none' : routePath(c, -1);
    end({
      name: `${c.req.method} ${route}${operation === undefined ? '' : ` ${operation}`}`,
      attributes: {
        'http.request.method': c.req.method,
        'http.route': route,
        'http.response.status_code': status,
        'request.id': requestIdOf(c),
        ...(operation !== undefined && { 'graphql.operation.name': operation }),
      },
      hasFailed: status >= 500,
    });
  });
}

/** Node reads no more than Content-Length, so a body that declares its length need not be read. */
function limitBody(refuse: Refuse): MiddlewareHandler {
  const onError = (c: HonoContext) => refuse(c, 'PAYLOAD_TOO_LARGE');
  const limitStream = bodyLimit({ maxSize: BODY_BYTES_MAX, onError });
  return (c, next) => {
    if (c.req.method === 'GET') return next();
    const length = c.req.header('content-length');
    if (length === undefined) return limitStream(c, next);
    return Number(length) > BODY_BYTES_MAX ? Promise.resolve(onError(c)) : next();
  };
}

/** Rejects an invalid token on any path. Routes and fields decide themselves whether they need one. */
function identifyViewer(
  deps: AppDeps,
  identify: Identify,
  refuse: Refuse,
): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const { viewer, refusal } = await identify(c.req.raw.headers);
    if (refusal !== undefined) return refuse(c, [refusal]);
    const context = createContext(deps, requestIdOf(c), viewer);
    c.set('context', context);
    try {
      return await next();
    } finally {
      // The response does not wait for the end of the transaction.
      context.finish().catch((error: unknown) => {
        if (isConnectionError(error)) deps.reportOutage(error);
        else
          deps.log.error(
            { err: error, requestId: context.requestId },
            'read transaction could not be ended',
          );
      });
    }
  };
}

type Refuse = (c: HonoContext, why: readonly Rejection[] | Rejection['code']) => Response;

function createRefuse({ metrics }: Pick<AppDeps, 'metrics'>): Refuse {
  return (c, why) => {
    const [first = rejection('INTERNAL_SERVER_ERROR'), ...others] =
      typeof why === 'string' ? [rejection(why)] : why;
    metrics.refusals.inc({ code: first.code });
    return c.req.path === GRAPHQL_PATH
      ? graphqlRefusal(first, requestIdOf(c))
      : refusalAnswer([first, ...others]);
  };
}

/** Whether the client closed the connection before its request was complete. */
function hasHungUp(c: HonoContext): boolean {
  const { incoming } = c.env as { readonly incoming?: IncomingMessage };
  return incoming?.destroyed === true && !incoming.complete;
}

function requestIdOf(c: HonoContext): string {
  return c.get('requestId') as string;
}
