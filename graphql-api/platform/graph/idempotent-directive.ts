// `@idempotent(key:)` on a mutation field: a repeat with the same key and input gets the first
// answer again, whatever became of the connection.

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
    'Does the mutation once per key: a repeat within 24 hours with the same input gets the stored answer, with another input it is refused.',
  locations: [DirectiveLocation.FIELD],
  args: {
    key: {
      type: new GraphQLNonNull(GraphQLString),
      description: 'Chosen by the client, such as a UUID: 1 to 255 characters.',
    },
  },
});

/** The key that the mutation field was sent with. */
export function idempotencyKeyOf(info: GraphQLResolveInfo): string | undefined {
  const keys = new Set<string>();
  // One response field may be written several times in a document; the copies must agree.
  for (const node of info.fieldNodes) {
    const values = getDirectiveValues(idempotentDirective, node, info.variableValues);
    if (values !== undefined) keys.add(values.key as string);
  }
  if (keys.size > 1) return reject('INVALID_IDEMPOTENCY_KEY');
  return [...keys][0];
}
