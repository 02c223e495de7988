import { type DocumentNode, type ExecutionArgs, getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Metrics } from '../observe/metrics.ts';
import type { GraphContext } from './builder.ts';

/** Measures operations by name. Names that are not known are measured together. */
export function measureOperations(
  { operationSeconds }: Pick<Metrics, 'operationSeconds'>,
  known: ReadonlySet<string>,
): Plugin<GraphContext> {
  return {
    onExecute({ args, context: { context } }) {
      const { document, operationName } = args as ExecutionArgs;
      const name = nameOf(document, operationName);
      const operation = known.has(name) ? name : 'other';
      context.note({ operation });
      const endTimer = operationSeconds.startTimer({ operation });
      return { onExecuteDone: () => void endTimer() };
    },
  };
}

function nameOf(document: DocumentNode, operationName: string | null | undefined): string {
  return getOperationAST(document, operationName)?.name?.value ?? '';
}
