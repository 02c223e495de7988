import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { kysely } from '../platform/database/kysely.ts';
import type { SchemaTypes } from '../platform/graph/builder.ts';
import { loaderById } from '../platform/graph/loader.ts';

const organizationNameById = loaderById((context: Context, ids: readonly string[]) =>
  readAcrossTenants(context, em =>
    kysely(em).selectFrom('organizations').select(['id', 'name']).where('id', 'in', ids).execute(),
  ),
);

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
