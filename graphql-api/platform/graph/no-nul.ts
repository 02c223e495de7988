import {
  type DefinitionNode,
  type DocumentNode,
  Kind,
  OperationTypeNode,
  print,
  visit,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { Rejected, rejection } from '../rejected.ts';

/** A NUL character, unescaped or as a GraphQL escape sequence. */
const NUL_IN_DOCUMENT = /\0|\\u(?:0000|\{0+\})/;

/**
 * Rejects queries and subscriptions with a NUL character, for which Postgres would return an error.
 * Mutations are validated by their contracts, which name the field.
 */
export const noNul: Plugin = {
  onExecute: ({ args }) => refuseNul(args),
  onSubscribe: ({ args }) => refuseNul(args),
};

type Executed = { readonly document: unknown; readonly variableValues?: unknown };

function refuseNul({ document, variableValues }: Executed): void {
  const { definitions, loc } = document as DocumentNode;
  const isMutation = (one: DefinitionNode) =>
    one.kind === Kind.OPERATION_DEFINITION && one.operation === OperationTypeNode.MUTATION;
  if (definitions.some(isMutation)) return;
  const source = loc?.source.body ?? '';
  const isInDocument = NUL_IN_DOCUMENT.test(source);
  if (!isInDocument && !hasNul(variableValues)) return;
  const name = isInDocument ? argumentWithNul(document as DocumentNode) : undefined;
  throw new Rejected([
    rejection('BAD_USER_INPUT', {
      message: 'Text must not contain a NUL character.',
      ...(name === undefined ? {} : { field: [name] }),
    }),
  ]);
}

/** The name of the first argument that contains a NUL character. */
function argumentWithNul(document: DocumentNode): string | undefined {
  let name: string | undefined;
  visit(document, {
    Argument(argument) {
      if (name === undefined && NUL_IN_DOCUMENT.test(print(argument))) name = argument.name.value;
    },
  });
  return name;
}

/** Iterative, because JSON can be nested deeper than the stack allows. */
function hasNul(value: unknown): boolean {
  const values = [value];
  for (const one of values) {
    if (typeof one === 'string' && one.includes('\0')) return true;
    if (typeof one === 'object' && one !== null)
      for (const inner of Object.values(one) as unknown[]) values.push(inner);
  }
  return false;
}
