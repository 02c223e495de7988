import { z } from '@hono/zod-openapi';
import type { RestApp } from '../platform/rest/rest-app.ts';
import { showRoute } from '../platform/rest/routes.ts';
import { catalogEntryWithSource } from './catalog-entry.reads.ts';
import { catalogEntrySourceResource } from './template.resource.ts';

export function catalogRoutes(app: RestApp): void {
  showRoute(app, {
    tag: 'Templates',
    path: '/api/v1/admin/catalog/entries/{entry_id}/source-detail',
    operationId: 'getCatalogEntrySource',
    summary: 'Retrieve a catalog entry with its full source data',
    description: 'Platform admins only.',
    access: 'platformAdmin',
    params: z.object({
      entry_id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
    }),
    result: ['The catalog entry.', { entry: catalogEntrySourceResource }],
    show: async ({ entry_id: id }, context) => {
      const entry = await catalogEntryWithSource(context, id);
      return {
        entry: {
          id: entry.id,
          name: entry.name,
          description: entry.description,
          is_published: entry.isPublished,
          versions: entry.versions.map(version => ({ ...version })),
          source: entry.source ?? {},
          created_by: entry.createdBy,
          created_at: entry.createdAt.toISOString(),
        },
      };
    },
  });
}
