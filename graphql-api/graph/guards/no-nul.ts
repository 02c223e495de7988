import { type DefinitionNode, type DocumentNode, Kind, OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { Rejected, rejection } from '../../rejected.ts';

/** As it is, or as GraphQL writes it in a string. */
const NUL_IN_DOCUMENT = /\0|\\u(?:0000|\{0+\})/;

/**
 * Postgres has no text with a NUL character, so a query that looks for one finds nothing but an error.
 * Mutations are left to their contracts, which say in which field it is.
 */
export const noNul: Plugin = {
  onExecute({ args: { document, variableValues } }) {
    const { definitions, loc } = document as DocumentNode;
    const isOfMutation = (one: DefinitionNode) =>
      one.kind === Kind.OPERATION_DEFINITION && one.operation === OperationTypeNode.MUTATION;
    if (definitions.some(isOfMutation)) return;
    const source = loc?.source.body ?? '';
    if (!NUL_IN_DOCUMENT.test(source) && !hasNul(variableValues)) return;
    throw new Rejected([rejection('BAD_USER_INPUT', { message: 'No text has a NUL character.' })]);
  },
};

function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNul);
}
