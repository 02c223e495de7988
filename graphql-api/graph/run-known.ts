import { type ExecutionResult, execute, OperationTypeNode } from 'graphql';
import type { Context } from '../context.ts';
import { hasNul } from './guards/no-nul.ts';
import { charge, type Operation, type Settle } from './guards/query-cost.ts';
import type { KnownOperation } from './known-operations.ts';
import { withPublicErrors } from './public-errors.ts';
import { schema } from './schema.ts';

export type Variables = Readonly<Record<string, unknown>>;

/**
 * What yoga would do with a document that it has let pass before. Undefined, with nothing done, where
 * something is wrong with these variables or there are too few points: yoga says so in its own way.
 */
export function runKnown(
  { document, operation }: KnownOperation,
  variables: Variables | null | undefined,
  context: Context,
): Promise<ExecutionResult> | undefined {
  const isMutation = operation.operation === OperationTypeNode.MUTATION;
  if (!isMutation && hasNul(variables)) return undefined;
  const operationName = operation.name?.value;
  const settle = settleOf({ document, operationName, variableValues: variables }, context);
  if (settle === undefined) return undefined;
  return finish(
    execute({
      schema,
      document,
      operationName,
      variableValues: variables,
      contextValue: { context },
    }),
    settle,
    context,
  );
}

async function finish(
  running: ExecutionResult | Promise<ExecutionResult>,
  settle: Settle,
  context: Context,
): Promise<ExecutionResult> {
  return withPublicErrors(settle(await running), context);
}

function settleOf(operation: Operation, context: Context): Settle | undefined {
  try {
    return charge(context.deps.points, operation, context);
  } catch {
    // The whole way comes to the same, and says it.
    return undefined;
  }
}
