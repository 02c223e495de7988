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

/** As it is, or as GraphQL writes it in a string. */
const NUL_IN_DOCUMENT = /\0|\\u(?:0000|\{0+\})/;

/**
 * Postgres has no text with a NUL character, so a query that looks for one finds nothing but an error.
 * Mutations are left to their contracts, which say in which field it is.
 */
export const noNul: Plugin = {
  onExecute: ({ args }) => refuseNul(args),
  onSubscribe: ({ args }) => refuseNul(args),
};

type Asked = { readonly document: unknown; readonly variableValues?: unknown };

function refuseNul({ document, variableValues }: Asked): void {
  const { definitions, loc } = document as DocumentNode;
  const isOfMutation = (one: DefinitionNode) =>
    one.kind === Kind.OPERATION_DEFINITION && one.operation === OperationTypeNode.MUTATION;
  if (definitions.some(isOfMutation)) return;
  const source = loc?.source.body ?? '';
  const isInDocument = NUL_IN_DOCUMENT.test(source);
  if (!isInDocument && !hasNul(variableValues)) return;
  const name = isInDocument ? argumentWithNul(document as DocumentNode) : undefined;
  throw new Rejected([
    rejection('BAD_USER_INPUT', {
      message: 'No text has a NUL character.',
      ...(name === undefined ? {} : { field: [name] }),
    }),
  ]);
}

/** The name of the first argument with one in its text. */
function argumentWithNul(document: DocumentNode): string | undefined {
  let name: string | undefined;
  visit(document, {
    Argument(argument) {
      if (name === undefined && NUL_IN_DOCUMENT.test(print(argument))) name = argument.name.value;
    },
  });
  return name;
}

/** Without recursion, since JSON may be nested deeper than the stack. */
function hasNul(value: unknown): boolean {
  const values = [value];
  for (const one of values) {
    if (typeof one === 'string' && one.includes('\0')) return true;
    if (typeof one === 'object' && one !== null)
      for (const inner of Object.values(one) as unknown[]) values.push(inner);
  }
  return false;
}
