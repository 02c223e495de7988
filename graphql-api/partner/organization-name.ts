import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { kysely } from '../platform/database/kysely.ts';
import { type Fields, globalId } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';

const organizationNameById = loaderById((context: Context, ids: readonly string[]) =>
  readAcrossTenants(context, em =>
    kysely(em).selectFrom('organizations').select(['id', 'name']).where('id', 'in', ids).execute(),
  ),
);

type Owned = { readonly organizationId: string };

/** The organization's ID and name, for lists of platform admins that span organizations. */
export function organizationFields<T extends Owned>(t: Fields<T>, description: string) {
  return {
    organizationId: globalId(t, 'organizationId' as never, 'Organization', description),
    organizationName: t.string({
      description: 'The name of the organization. Platform admins only.',
      authScopes: { platformAdmin: true },
      resolve: async ({ organizationId }: Owned, _args, graph) =>
        (await organizationNameById(graph, organizationId))?.name,
    }),
  };
}
