// What clients see of errors. A rejection is shown with its code; what graphql-js says about a
// document or a variable is shown without what was sent; anything else is a defect: logged whole,
// shown as nothing. Codes and statuses come from the one error table.

import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { PROBLEMS, type ProblemCode, statusOf } from '../../../schema/values/problem.ts';
import type { Context } from '../context.ts';
import { Rejected, type Rejection } from '../rejected.ts';
import type { GraphContext } from './builder.ts';
import { withoutValues } from './without-values.ts';

type PublicCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'BAD_USER_INPUT'
  | 'THROTTLED'
  | 'MAX_COST_EXCEEDED'
  | 'INTERNAL_SERVER_ERROR';

/** What holds for the whole request, also where other fields could be answered. */
const WHOLE_REQUEST: ReadonlySet<number> = new Set([401, 429]);

export const publicErrors: Plugin<GraphContext, GraphContext> = {
  onResultProcess({ result, serverContext: { context }, ...hook }) {
    if (Array.isArray(result) || Symbol.asyncIterator in result) return;
    const shown = withPublicErrors(result as ExecutionResult, context);
    if (shown !== result) hook.setResult(shown);
  },
  // Of what a subscription tells, each by itself.
  onSubscribe: () => ({
    onSubscribeResult: ({ args }) => ({
      onNext({ result, setResult }) {
        const { context } = args.contextValue as GraphContext;
        setResult(withPublicErrors(result as ExecutionResult, context));
      },
    }),
  }),
};

/** The same result where it has no errors. */
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
  // Yoga marks what it caught and has no name for.
  if (isClients && error.extensions.unexpected !== true)
    return [documentError(error, cause, context, hasData)];
  const { deps, requestId } = context;
  deps.metrics.refusals.inc({ code: 'INTERNAL_SERVER_ERROR' });
  deps.log.error({ err: cause ?? error, requestId, path: error.path }, 'a resolver failed');
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
      // The table's own code, where GraphQL's says less.
      ...(code !== publicCode && { reason: code }),
      ...(field && { field }),
      requestId,
      ...((!hasData || WHOLE_REQUEST.has(status)) && { http: { status, headers } }),
    },
  });
}

/**
 * Of graphql-js, yoga and their guards: about the request itself, so safe to show. The status is 400 for
 * `application/json`, too: the draft of GraphQL over HTTP would have 200 there, as a SHOULD for clients of old,
 * but what counts refusals by status would see none, and REST's are 400.
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

/** The few codes that GraphQL clients know, from the table's. */
export function publicCodeOf(code: ProblemCode, status: number = statusOf(code)): PublicCode {
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
