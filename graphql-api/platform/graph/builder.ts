// The one Pothos builder. Nouns add their types to it when imported; schema.ts imports them all.
// Every type and every root field names who may see it (authScopes): schema.ts refuses to build a
// schema in which one does not.

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

/** What resolvers are given; yoga adds its own beside it. */
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

/** The same with Pothos's defaults, as its own types want it. */
export type SchemaTypes = PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>;

/** What a list that isn't a connection is assumed to hold. */
const LIST_LENGTH_ASSUMED = 10;

export const builder = new SchemaBuilder<GraphTypes>({
  plugins: [ScopeAuthPlugin, RelayPlugin, ComplexityPlugin],
  scopeAuth: {
    authScopes: ({ context: { viewer } }) => ({
      member: permits(viewer, 'member'),
      owner: permits(viewer, 'owner'),
      platformAdmin: permits(viewer, 'platformAdmin'),
    }),
    // Once per object, not once per field of it.
    runScopesOnType: true,
    // Nobody may hold a subscription open who will be shown nothing of it.
    authorizeOnSubscribe: true,
    unauthorizedError: (_parent, { context: { viewer } }) =>
      new Rejected([rejection(viewer === undefined ? 'UNAUTHENTICATED' : 'FORBIDDEN')]),
  },
  relay: {
    encodeGlobalID: (typename, id) => encodeNodeId(typename, String(id)),
    decodeGlobalID: decodeNodeId,
    idFieldOptions: { description: 'The global id.' },
    nodeTypeOptions: {
      description: 'Anything that can be loaded again by its global id.',
      authScopes: { member: true },
    },
    nodeQueryOptions: {
      description: 'Anything by its global id; null for what is not there and what is not yours.',
      authScopes: { member: true },
      args: { id: { description: 'A global id.' } },
    },
    // `node` with aliases does the same and counts what it costs.
    nodesQueryOptions: false,
    pageInfoTypeOptions: {
      description: 'Where a page stands in its list.',
      authScopes: { member: true },
    },
    hasNextPageFieldOptions: { description: 'Whether there are items after this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether there are items before this page.' },
    startCursorFieldOptions: { description: 'The cursor of the first item.' },
    endCursorFieldOptions: {
      description: 'The cursor of the last item: `after` of the next page.',
    },
  },
  complexity: {
    // Shopify's rule: leaves are free, objects cost one.
    fieldComplexity: (_args, _context, { type }) => {
      const inner = isNonNullType(type) ? type.ofType : type;
      if (isListType(inner)) return { field: 1, multiplier: LIST_LENGTH_ASSUMED };
      return isLeafType(inner) ? 0 : 1;
    },
    // The cost is counted and refused before execution, not while resolvers run already.
    disabled: true,
  },
});

for (const scalar of SCALARS)
  builder.addScalarType(scalar.name as 'DateTime' | 'Date' | 'Decimal' | 'CurrencyCode', scalar);

builder.queryType({ description: 'What can be read. Everything is of the viewer’s organisation.' });
builder.mutationType({
  description:
    'What can be changed: one business action each. Refusals that a form can show are in `userErrors`.',
});
