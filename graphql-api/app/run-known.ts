import { type ExecutionResult, execute, OperationTypeNode } from 'graphql';
import type { Context } from '../platform/context.ts';
import { hasNul } from '../platform/graph/no-nul.ts';
import { withPublicErrors } from '../platform/graph/public-errors.ts';
import { charge, type Operation, type Settle } from '../platform/graph/query-cost.ts';
import { schema } from './graph.ts';
import type { KnownOperation } from './known-operations.ts';

export type Variables = Readonly<Record<string, unknown>>;

/**
 * What yoga would do with a document that it has let pass before. Undefined, with nothing done, where
 * something is wrong with these variables or there are too few points: yoga says so in its own way.
 * Never throws: what goes wrong later is in the promise.
 */
export function runKnown(
  known: KnownOperation,
  variables: Variables | null | undefined,
  context: Context,
): Promise<ExecutionResult> | undefined {
  const operation = {
    schema,
    document: known.document,
    operationName: known.operation.name?.value,
    variableValues: variables,
  };
  const isMutation = known.operation.operation === OperationTypeNode.MUTATION;
  const settle = settleOf(operation, isMutation, context);
  return settle && run(operation, settle, context);
}

async function run(
  operation: Operation,
  settle: Settle,
  context: Context,
): Promise<ExecutionResult> {
  const result = await execute({ ...operation, contextValue: { context } });
  return withPublicErrors(settle(result), context);
}

function settleOf(operation: Operation, isMutation: boolean, context: Context): Settle | undefined {
  try {
    if (!isMutation && hasNul(operation.variableValues)) return undefined;
    return charge(context.deps.points, operation, context);
  } catch {
    // The whole way comes to the same, and says it.
    return undefined;
  }
}
