import { createRoute, z } from '@hono/zod-openapi';
import { allow, errors, json, type RestApp, resultOf } from '../platform/rest/rest-app.ts';
import { catalogEntryWithSource } from './catalog-entry.reads.ts';
import {
  type CatalogEntrySourceResource,
  catalogEntrySourceResource,
} from './template.resource.ts';

export function catalogRoutes(app: RestApp): void {
  const source = createRoute({
    method: 'get',
    path: '/api/v1/admin/catalog/entries/{entry_id}/source-detail',
    tags: ['Templates'],
    operationId: 'getCatalogEntrySource',
    summary: 'Get a catalog entry with its full source data',
    description: 'Platform admins only.',
    middleware: allow('platformAdmin'),
    request: {
      params: z.object({
        entry_id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
      }),
    },
    responses: {
      200: json('The catalog entry.', resultOf({ entry: catalogEntrySourceResource })),
      ...errors(400, 404),
    },
  });
  app.openapi(source, async c => {
    const { entry_id: id } = c.req.valid('param');
    const entry = await catalogEntryWithSource(c.var.context, id);
    const answer: CatalogEntrySourceResource = {
      id: entry.id,
      name: entry.name,
      description: entry.description,
      is_published: entry.isPublished,
      versions: entry.versions.map(version => ({ ...version })),
      source: entry.source ?? {},
      created_by: entry.createdBy,
      created_at: entry.createdAt.toISOString(),
    };
    return c.json({ status: 'SUCCESS' as const, entry: answer }, 200);
  });
}
