// `graphql` reads a document's types off the API's schema. The fields of a response are visible in
// the component that queries them: a view queries all its data in one document.

import { initGraphQLTada, type ResultOf, type VariablesOf } from 'gql.tada';
import type { introspection } from './schema-types.d.ts';

export const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: {
    CurrencyCode: string;
    /** YYYY-MM-DD. */
    Date: string;
    /** ISO 8601, UTC. */
    DateTime: string;
    /** Exact: never to be calculated with as a number. */
    Decimal: string;
    JSON: unknown;
  };
}>();

export type { ResultOf, VariablesOf };
