import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from '../platform/context.ts';
import { workspaceReads } from '../platform/database/entity-reads.ts';
import { reject } from '../platform/rejected.ts';
import { allow, errors, type RestApp, workspaceHeader } from '../platform/rest/rest-app.ts';
import { changeRoute } from '../platform/rest/routes.ts';
import { exportLines } from './export-rows.ts';
import { personExport } from './person.actions.ts';
import { confirmedPersonBody, personExportResource } from './person.resource.ts';
import { PersonExport } from './person-export.entity.ts';

const PATH = '/api/v1/people/exports';
const TAG = 'Privacy';
const exportsOfWorkspace = workspaceReads(PersonExport);
/** Counts as many queries. */
const DOWNLOAD_POINTS = 100;

export function exportPath(id: string): string {
  return `${PATH}/${id}/document`;
}

export function personExportRoutes(app: RestApp): void {
  changeRoute(app, {
    path: PATH,
    tag: TAG,
    operationId: 'createPersonExport',
    summary: 'Request a download of a person’s stored data',
    description:
      'Send the IDs and the confirmation from the footprint. Only the caller can download the document, and only for 24 hours. Owners only.',
    isInWorkspace: true,
    body: confirmedPersonBody,
    result: ['The export.', { export: personExportResource }],
    status: 201,
    operation: 'personExport',
    action: personExport,
    input: ({ user_ids: userIds, anonymous_ids: anonymousIds, confirmation }) => ({
      userIds,
      anonymousIds,
      confirmation,
    }),
    show: async ({ id }, context) => {
      const [stored] = await exportsOfWorkspace.byIds(context, [id]);
      return {
        export: {
          id,
          download_path: exportPath(id),
          created_at: stored!.createdAt.toISOString(),
          expires_at: stored!.expiresAt.toISOString(),
        },
      };
    },
  });

  const lines = z.string().meta({ example: '{"complete":true,"rows":0}' });
  const download = createRoute({
    method: 'get',
    path: `${PATH}/{person_export_id}/document`,
    tags: [TAG],
    operationId: 'downloadPersonExport',
    summary: 'Download a person’s stored data',
    description:
      'The document is in JSON Lines format. It contains a line `{"engine", "table", "row"}` for each row, and the last line is `{"complete": true, "rows"}`. If this last line is missing, the document is incomplete. Only the owner who requested the export can download it.',
    middleware: allow('owner', DOWNLOAD_POINTS),
    request: {
      headers: workspaceHeader,
      params: z.object({
        person_export_id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
      }),
    },
    responses: {
      200: { description: 'The document.', content: { 'application/x-ndjson': { schema: lines } } },
      ...errors(400, 404, 503),
    },
  });
  app.openapi(download, async c => {
    const { person_export_id: id } = c.req.valid('param');
    return new Response(await documentOf(c.var.context, id), {
      headers: {
        'content-type': 'application/x-ndjson; charset=utf-8',
        'content-disposition': 'attachment; filename="person.jsonl"',
        'cache-control': 'no-store',
      },
    }) as never;
  });
}

async function documentOf(context: Context, id: string): Promise<ReadableStream> {
  const [stored] = await exportsOfWorkspace.byIds(context, [id]);
  const { deps, viewer } = context;
  const isUsable =
    stored !== undefined &&
    stored.actorId === viewer!.userId &&
    stored.expiresAt.getTime() > deps.clock.nowMs();
  if (!isUsable) return reject('NOT_FOUND', { message: 'You have no export with this ID.' });
  const { organizationId } = viewer!;
  const { workspaceId, nameHashes, deviceHashes } = stored;
  const cancelled = new AbortController();
  const warehouse = await deps.warehouses.maintenance(
    organizationId,
    workspaceId,
    cancelled.signal,
  );
  const person = { workspaceId, nameHashes, deviceHashes };
  const rows = exportLines({ database: deps.database, warehouse }, person);
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await rows.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel() {
      cancelled.abort();
    },
  });
}
