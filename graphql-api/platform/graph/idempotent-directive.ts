// `@idempotent(key:)` on a mutation field. A repeat with the same key and input returns the first
// result, even if the client lost the first response.

import {
  DirectiveLocation,
  GraphQLDirective,
  GraphQLNonNull,
  type GraphQLResolveInfo,
  GraphQLString,
  getDirectiveValues,
} from 'graphql';
import { reject } from '../rejected.ts';

export const idempotentDirective = new GraphQLDirective({
  name: 'idempotent',
  description:
    'Runs the mutation once per key. For 24 hours, a repeated call with the same key and input returns the stored result; a call with the same key but a different input is refused.',
  locations: [DirectiveLocation.FIELD],
  args: {
    key: {
      type: new GraphQLNonNull(GraphQLString),
      description: 'A key chosen by the client, such as a UUID. 1 to 255 characters.',
    },
  },
});

/** The idempotency key of the mutation field, if any. */
export function idempotencyKeyOf(info: GraphQLResolveInfo): string | undefined {
  const keys = new Set<string>();
  // A document may repeat one response field; all copies must have the same key.
  for (const node of info.fieldNodes) {
    const values = getDirectiveValues(idempotentDirective, node, info.variableValues);
    if (values !== undefined) keys.add(values.key as string);
  }
  if (keys.size > 1) return reject('INVALID_IDEMPOTENCY_KEY');
  return [...keys][0];
}
