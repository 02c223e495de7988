// What a query costs is known before it runs, and taken from the tenant's points then. What it
// turns out to cost less is given back. `extensions.cost` shows it as Shopify does.

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
    // For what comes later nothing is taken: it is the same, however many are told.
    onSubscribe({ args }) {
      const { context } = args.contextValue as GraphContext;
      charge(buckets, args as Operation, context);
    },
  };
}

/** To be called with what came of it: gives back what was too much, and shows what it cost. */
type Settle = (result: ExecutionResult) => ExecutionResult;

/** Takes the points, or throws the refusal. Undefined where there is nothing to take, or nobody. */
function charge(buckets: PointBuckets, operation: Operation, context: Context): Settle | undefined {
  const requested = requestedCost(operation, { context });
  if (requested === undefined) return undefined;
  if (requested > COST_MAX) {
    const facts = { cost: { requestedQueryCost: requested, maximumQueryCost: COST_MAX } };
    throw new Rejected([rejection('MAX_COST_EXCEEDED', { facts })]);
  }
  const { viewer, deps } = context;
  // Without a viewer every field refuses, and what there is to count belongs to nobody.
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
    // What ClickHouse was asked cost it the same, however little came back.
    const asked = questionsOf(context) * QUESTION_POINTS;
    const actual = Math.min(requested, actualCost(result) + asked);
    const nowMs = deps.clock.nowMs();
    const left = buckets.giveBack(viewer.organizationId, requested - actual, nowMs);
    return { ...result, extensions: { ...result.extensions, cost: shown(actual, left) } };
  };
}

/**
 * Undefined where execution will refuse the operation or its variables without running anything. An
 * argument that can't be read, which execution refuses for its field alone, refuses all: what stands
 * beside it would be free.
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

/** The objects that came back: leaves are free, as in what was asked for. */
function actualCost({ data }: ExecutionResult): number {
  return Object.values(data ?? {}).reduce<number>((sum, value) => sum + objectsIn(value), 0);
}

function objectsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + objectsIn(item), 0);
  return Object.values(value).reduce<number>((sum, inner) => sum + objectsIn(inner), 1);
}
