import type { SchemaTypes } from '../platform/graph/builder.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { organizationNamesByIds } from './kyc.reads.ts';

const organizationNameById = loaderById(organizationNamesByIds);

type Owned = { readonly organizationId: string };

/** Of what platform admins see of everybody; others know their own name. */
export function organizationName<T extends Owned>(
  t: PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, T>,
) {
  return t.string({
    description: 'What that organisation is called; for platform admins.',
    authScopes: { platformAdmin: true },
    resolve: async ({ organizationId }: Owned, _args, graph) =>
      (await organizationNameById(graph, organizationId))?.name,
  });
}
