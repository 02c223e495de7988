// The Pothos builder. Nouns add their types to it when imported; app/graph.ts imports them all. Every
// type and every root field declares its access rule (authScopes); app/graph.ts fails to build a
// schema in which one is missing.

import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import { isLeafType, isListType, isNonNullType } from 'graphql';
import type { Context } from '../context.ts';
import { type AccessRule, permits } from '../permit.ts';
import { Rejected, rejection } from '../rejected.ts';
import { decodeNodeId, encodeNodeId } from './node-id.ts';
import { SCALARS } from './scalars.ts';

/** The context of resolvers, to which yoga adds its own properties. */
export type GraphContext = { readonly context: Context };

type Text = { Input: string; Output: string };

type GraphTypes = {
  Context: GraphContext;
  AuthScopes: Record<AccessRule, boolean>;
  Scalars: {
    ID: Text;
    DateTime: { Input: Date; Output: Date };
    Date: Text;
    Decimal: Text;
    CurrencyCode: Text;
    JSON: { Input: unknown; Output: unknown };
  };
};

/** `GraphTypes` with Pothos's defaults, as the types of Pothos require it. */
export type SchemaTypes = PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>;

/** The assumed length of a list that is not a connection. */
const LIST_LENGTH_ASSUMED = 10;

export const builder = new SchemaBuilder<GraphTypes>({
  plugins: [ScopeAuthPlugin, RelayPlugin, ComplexityPlugin],
  scopeAuth: {
    authScopes: ({ context: { viewer } }) => ({
      member: permits(viewer, 'member'),
      owner: permits(viewer, 'owner'),
      platformAdmin: permits(viewer, 'platformAdmin'),
    }),
    // Once per object instead of once per field.
    runScopesOnType: true,
    // A client without access must not hold a subscription open.
    authorizeOnSubscribe: true,
    unauthorizedError: (_parent, { context: { viewer } }) =>
      new Rejected([rejection(viewer === undefined ? 'UNAUTHENTICATED' : 'FORBIDDEN')]),
  },
  relay: {
    encodeGlobalID: (typename, id) => encodeNodeId(typename, String(id)),
    decodeGlobalID: decodeNodeId,
    idFieldOptions: { description: 'The global ID.' },
    nodeTypeOptions: {
      description: 'An object with a global ID.',
      authScopes: { member: true },
    },
    nodeQueryOptions: {
      description:
        'Returns an object by its global ID; null if it does not exist or belongs to another organization.',
      authScopes: { member: true },
      args: { id: { description: 'The global ID of the object.' } },
    },
    // `node` with aliases does the same, and its cost is counted.
    nodesQueryOptions: false,
    pageInfoTypeOptions: {
      description: 'Pagination information about a page.',
      authScopes: { member: true },
    },
    hasNextPageFieldOptions: { description: 'Whether there are items after this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether there are items before this page.' },
    startCursorFieldOptions: {
      description: 'The cursor of the first item; null if the page is empty.',
    },
    endCursorFieldOptions: {
      description:
        'The cursor of the last item; null if the page is empty. Pass it as `after` to get the next page.',
    },
  },
  complexity: {
    // Shopify's rule: leaves are free, objects cost one.
    fieldComplexity: (_args, _context, { type }) => {
      const inner = isNonNullType(type) ? type.ofType : type;
      if (isListType(inner)) return { field: 1, multiplier: LIST_LENGTH_ASSUMED };
      return isLeafType(inner) ? 0 : 1;
    },
    // query-cost.ts computes the cost before execution, instead of during it.
    disabled: true,
  },
});

for (const scalar of SCALARS)
  builder.addScalarType(scalar.name as 'DateTime' | 'Date' | 'Decimal' | 'CurrencyCode', scalar);

builder.queryType({
  description: 'The root type for queries. Results are limited to the viewer’s organization.',
});
builder.mutationType({
  description:
    'The root type for mutations. Each mutation succeeds or fails as a whole. Errors that a form can show are returned in `userErrors`.',
});
