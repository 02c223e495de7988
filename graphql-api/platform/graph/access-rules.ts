import { type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql';

/**
 * The types and fields without an access rule. Deny by default: every field of Query, Mutation and
 * Subscription needs its own rule, every other type needs one for all its fields.
 */
export function placesWithoutRule(schema: GraphQLSchema): string[] {
  const roots = new Set([
    schema.getQueryType(),
    schema.getMutationType(),
    schema.getSubscriptionType(),
  ]);
  return Object.values(schema.getTypeMap()).flatMap(type => {
    if (type.name.startsWith('__')) return [];
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    if (!isObjectType(type) || !roots.has(type)) return hasRule(type) ? [] : [type.name];
    return Object.values(type.getFields())
      .filter(field => !hasRule(field))
      .map(field => `${type.name}.${field.name}`);
  });
}

type Described = { readonly extensions: Readonly<Record<string, unknown>> };

function hasRule({ extensions }: Described): boolean {
  const options = extensions.pothosOptions as { readonly authScopes?: unknown } | undefined;
  const rule = options?.authScopes;
  if (typeof rule === 'function') return true;
  return typeof rule === 'object' && rule !== null && Object.keys(rule).length > 0;
}
