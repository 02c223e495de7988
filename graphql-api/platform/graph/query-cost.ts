// The cost of a query is computed before execution and deducted from the tenant's points. The
// difference from the actual cost is refunded afterwards. `extensions.cost` has Shopify's format.

import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Kind,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../context.ts';
import type { PointBuckets } from '../point-buckets.ts';
import { Rejected, rejection } from '../rejected.ts';
import { QUESTION_POINTS, questionsOf } from '../warehouse/ask.ts';
import type { GraphContext } from './builder.ts';
import { COST_MAX } from './limits.ts';

type Operation = {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: Record<string, unknown> | null | undefined;
};

export function queryCost(buckets: PointBuckets): Plugin<GraphContext> {
  return {
    onExecute({ args, context: { context } }) {
      const settle = charge(buckets, args as Operation, context);
      if (settle === undefined) return;
      return {
        onExecuteDone({ result, setResult }) {
          if (!(Symbol.asyncIterator in result)) setResult(settle(result as ExecutionResult));
        },
      };
    },
    // Only the start of a subscription is charged, because events cost the same for any number of clients.
    onSubscribe({ args }) {
      const { context } = args.contextValue as GraphContext;
      charge(buckets, args as Operation, context);
    },
  };
}

/** Refunds what the result cost less than requested, and adds the cost to the extensions. */
type Settle = (result: ExecutionResult) => ExecutionResult;

/** Deducts the points, or rejects. Undefined if there is no cost or no viewer. */
function charge(buckets: PointBuckets, operation: Operation, context: Context): Settle | undefined {
  const requested = requestedCost(operation, { context });
  if (requested === undefined) return undefined;
  if (requested > COST_MAX) {
    const facts = { cost: { requestedQueryCost: requested, maximumQueryCost: COST_MAX } };
    throw new Rejected([rejection('MAX_COST_EXCEEDED', { facts })]);
  }
  const { viewer, deps } = context;
  // Without a viewer every field is rejected, and there is no tenant to charge.
  if (viewer === undefined) return undefined;
  const taken = buckets.take(viewer.organizationId, requested, deps.clock.nowMs());
  const { limits } = buckets;
  const shown = (actual: number | null, currentlyAvailable: number) => ({
    requestedQueryCost: requested,
    actualQueryCost: actual,
    throttleStatus: {
      maximumAvailable: limits.pointsMax,
      currentlyAvailable,
      restoreRate: limits.pointsPerSecond,
    },
  });
  if (!taken.isGranted) {
    const { retryAfterSeconds, pointsLeft } = taken;
    const facts = { retryAfterSeconds, cost: shown(null, pointsLeft) };
    throw new Rejected([rejection('THROTTLED', { facts })]);
  }
  return result => {
    // A ClickHouse query costs the same for any result size.
    const asked = questionsOf(context) * QUESTION_POINTS;
    const actual = Math.min(requested, actualCost(result) + asked);
    const nowMs = deps.clock.nowMs();
    const left = buckets.giveBack(viewer.organizationId, requested - actual, nowMs);
    return { ...result, extensions: { ...result.extensions, cost: shown(actual, left) } };
  };
}

/**
 * Undefined if execution will reject the operation or its variables anyway. An invalid argument,
 * which execution would reject for its field only, rejects the operation: otherwise the other fields
 * would be free.
 */
function requestedCost(
  { schema, document, operationName, variableValues }: Operation,
  graph: GraphContext,
): number | undefined {
  const operation = getOperationAST(document, operationName);
  if (!operation) return undefined;
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const variables = variableValues ?? {};
  try {
    const only: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] };
    return complexityFromQuery(only, { schema, ctx: graph, variables }).complexity;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
    if (errors !== undefined) return undefined;
    throw error;
  }
}

/** The number of returned objects. Leaves are free, as in the requested cost. */
function actualCost({ data }: ExecutionResult): number {
  return Object.values(data ?? {}).reduce<number>((sum, value) => sum + objectsIn(value), 0);
}

function objectsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + objectsIn(item), 0);
  return Object.values(value).reduce<number>((sum, inner) => sum + objectsIn(inner), 1);
}
