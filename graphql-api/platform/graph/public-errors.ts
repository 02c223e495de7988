// Maps errors to the ones clients see. A rejection keeps its code. A graphql-js error about a
// document or a variable is returned without the values that were sent. Anything else is a defect:
// it is logged in full and returned as a generic error. Codes and statuses come from
// `schema/values/problem.ts`.

import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { PROBLEMS, type ProblemCode, statusOf } from '../../../schema/values/problem.ts';
import { isConnectionError } from '../connection-error.ts';
import type { Context } from '../context.ts';
import { Rejected, type Rejection, refusalAnswer, unavailable } from '../rejected.ts';
import type { GraphContext } from './builder.ts';

type PublicCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'BAD_USER_INPUT'
  | 'THROTTLED'
  | 'MAX_COST_EXCEEDED'
  | 'INTERNAL_SERVER_ERROR';

/** Statuses that apply to the whole response, even if it has data. */
const WHOLE_REQUEST: ReadonlySet<number> = new Set([401, 429]);

export const publicErrors: Plugin<GraphContext, GraphContext> = {
  onResultProcess({ result, serverContext: { context }, ...hook }) {
    if (Array.isArray(result) || Symbol.asyncIterator in result) return;
    const shown = withPublicErrors(result as ExecutionResult, context);
    if (shown !== result) hook.setResult(shown);
  },
  // The results of a subscription, one by one.
  onSubscribe: () => ({
    onSubscribeResult: ({ args }) => ({
      onNext({ result, setResult }) {
        const { context } = args.contextValue as GraphContext;
        setResult(withPublicErrors(result as ExecutionResult, context));
      },
    }),
  }),
};

/** Returns the same object if the result has no errors. */
function withPublicErrors(result: ExecutionResult, context: Context): ExecutionResult {
  const { errors } = result;
  if (errors === undefined || errors.length === 0) return result;
  const hasData = result.data !== null && result.data !== undefined;
  return { ...result, errors: errors.flatMap(error => publicError(error, context, hasData)) };
}

function publicError(error: GraphQLError, context: Context, hasData: boolean): GraphQLError[] {
  const cause = rootCause(error);
  if (cause instanceof Rejected)
    return cause.rejections.map(one => rejectionError(error, one, context, hasData));
  const isClients = cause === undefined || cause.name === 'PothosValidationError';
  // Yoga sets `unexpected` on errors that it caught and does not recognize.
  if (isClients && error.extensions.unexpected !== true)
    return [documentError(error, cause, context, hasData)];
  const { deps, requestId } = context;
  if (isConnectionError(cause ?? error)) {
    deps.reportOutage(cause ?? error);
    // Every field that reads Postgres fails, so the status is that of the whole response.
    return [rejectionError(error, unavailable(), context, false)];
  }
  deps.metrics.refusals.inc({ code: 'INTERNAL_SERVER_ERROR' });
  deps.log.error({ err: cause ?? error, requestId, path: error.path }, 'resolver failed');
  return [
    new GraphQLError(PROBLEMS.INTERNAL_SERVER_ERROR.title, {
      ...placeOf(error),
      extensions: {
        code: 'INTERNAL_SERVER_ERROR' satisfies PublicCode,
        requestId,
        ...(!hasData && { http: { status: statusOf('INTERNAL_SERVER_ERROR') } }),
      },
    }),
  ];
}

function rejectionError(
  error: GraphQLError,
  { code, message, field, facts = {} }: Rejection,
  { deps, requestId }: Context,
  hasData: boolean,
): GraphQLError {
  const status = statusOf(code);
  deps.metrics.refusals.inc({ code });
  const publicCode = publicCodeOf(code, status);
  const { retryAfterSeconds, ...others } = facts;
  const headers: Record<string, string> =
    typeof retryAfterSeconds === 'number' ? { 'Retry-After': `${retryAfterSeconds}` } : {};
  return new GraphQLError(message, {
    ...placeOf(error),
    extensions: {
      ...others,
      code: publicCode,
      // The code of the problem table, if the GraphQL code is less specific.
      ...(code !== publicCode && { reason: code }),
      ...(field && { field }),
      requestId,
      ...((!hasData || WHOLE_REQUEST.has(status)) && { http: { status, headers } }),
    },
  });
}

/**
 * An error of graphql-js, yoga or a guard. It describes the request itself, so it is safe to
 * return. The status is 400 for `application/json` too. The GraphQL-over-HTTP draft recommends 200
 * there for legacy clients, but monitoring that counts rejections by status would miss them, and
 * REST uses 400.
 */
function documentError(
  error: GraphQLError,
  cause: Error | undefined,
  { deps, requestId }: Context,
  hasData: boolean,
): GraphQLError {
  deps.metrics.refusals.inc({ code: 'BAD_USER_INPUT' });
  const http = error.extensions.http;
  const status = Math.max(http?.status ?? 0, statusOf('BAD_USER_INPUT'));
  return new GraphQLError(cause?.message ?? withoutValues(error), {
    ...placeOf(error),
    extensions: {
      code: publicCodeOf('BAD_USER_INPUT', status),
      requestId,
      ...(!hasData && { http: { ...http, status, spec: false } }),
    },
  });
}

/** The response to a request that is rejected before GraphQL executes it, with REST's status and headers. */
export function graphqlRefusal(why: Rejection, requestId: string): Response {
  const { status, headers } = refusalAnswer([why]);
  const { code, message } = why;
  const publicCode = publicCodeOf(code);
  const reason = code === publicCode ? {} : { reason: code };
  const extensions = { code: publicCode, ...reason, requestId };
  return new Response(JSON.stringify({ errors: [{ message, extensions }] }), { status, headers });
}

/** Maps a code of the problem table to one of the few codes that GraphQL clients handle. */
function publicCodeOf(code: ProblemCode, status: number = statusOf(code)): PublicCode {
  if (code === 'MAX_COST_EXCEEDED') return code;
  if (status === 401) return 'UNAUTHENTICATED';
  if (status === 403) return 'FORBIDDEN';
  if (status === 429) return 'THROTTLED';
  return status < 500 ? 'BAD_USER_INPUT' : 'INTERNAL_SERVER_ERROR';
}

function rootCause(error: GraphQLError): Error | undefined {
  const { originalError } = error;
  return originalError instanceof GraphQLError ? rootCause(originalError) : originalError;
}

function placeOf({ nodes, source, positions, path }: GraphQLError) {
  return {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    path: path ?? null,
  };
}

/**
 * The message of an error in a document or its variables, without the sent value. Messages of
 * graphql-js repeat it, even entirely if one field is unknown; clients log errors, and an input can
 * contain a bank account.
 */
function withoutValues({ message, originalError }: GraphQLError): string {
  const [, variable] = VARIABLE.exec(message) ?? [];
  if (variable === undefined || !(originalError instanceof GraphQLError))
    return reasonWithoutValue(message);
  const reason = originalError.message;
  const [, place = variable] = PLACE.exec(message.slice(0, -reason.length)) ?? [];
  return `Variable "$${variable}" got an invalid value at "${place}"; ${reasonWithoutValue(reason)}`;
}

const VARIABLE = /^Variable "\$(\w+)" got invalid value /;
/** The preceding value is JSON, so its quotation marks are escaped. */
const PLACE = / at "([^"\\]+)"; $/;

/** Messages about scalars and enums, as variables and in the document. */
function reasonWithoutValue(reason: string): string {
  return reason
    .replace(/^((?:Enum "\w+"|\w+) cannot represent [^:"]+): .*$/s, '$1.')
    .replace(/^Value ".*" does not exist in/s, 'This value does not exist in')
    .replace(/^(Expected value of type "[^"]+"), found .*$/s, '$1.');
}
