import type { SchemaTypes } from '../platform/graph/builder.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { organizationNamesByIds } from './kyc.reads.ts';

const organizationNameById = loaderById(organizationNamesByIds);

type Owned = { readonly organizationId: string };

/** The organization's name, for lists of platform admins that span organizations. */
export function organizationName<T extends Owned>(
  t: PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, T>,
) {
  return t.string({
    description: 'The name of the organization. For platform admins.',
    authScopes: { platformAdmin: true },
    resolve: async ({ organizationId }: Owned, _args, graph) =>
      (await organizationNameById(graph, organizationId))?.name,
  });
}
