import { Readable } from 'node:stream';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/rejected.ts';
import { allow, errors, type RestApp, workspaceHeader } from '../platform/rest/rest-app.ts';
import { changeRoute, listRoute, showRoute } from '../platform/rest/routes.ts';
import { QUESTION_POINTS } from '../platform/warehouse/ask.ts';
import { type DownloadedChunk, downloadChunk } from './download-chunk.ts';
import { eventExportDelete, eventExportRequest } from './export.actions.ts';
import {
  type EventExportResource,
  eventExportBody,
  eventExportResource,
} from './export.contract.ts';
import { eventExportsByIds, eventExportsPage, type ShownExport } from './export.reads.ts';

const PATH = '/api/v1/exports/{export_id}';
const params = z.object({
  export_id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
});
const chunkParams = params.extend({
  number: z.coerce.number().int().min(1).max(2_147_483_647).meta({ example: 1 }),
});

const common = { tag: 'Exports', isInWorkspace: true } as const;
const shown = { export: eventExportResource };

export function exportRoutes(app: RestApp): void {
  listRoute(app, {
    ...common,
    path: '/api/v1/exports',
    operationId: 'listExports',
    summary: 'List the exports of the workspace, newest first',
    description: 'Expired exports are omitted.',
    item: eventExportResource,
    items: 'A page of exports.',
    page: eventExportsPage,
    show: exportAnswer,
  });
  showRoute(app, {
    ...common,
    path: PATH,
    operationId: 'getExport',
    summary: 'Retrieve an export and its progress',
    description: 'Chunks of completed days can be downloaded before the whole export is completed.',
    params,
    result: ['The export.', shown],
    show: ({ export_id: id }, context) => exportShown({ id }, context),
  });
  changeRoute(app, {
    ...common,
    path: '/api/v1/exports',
    operationId: 'requestExport',
    summary: 'Request an export of events',
    description:
      'A job divides the events in the range into chunks. Events received after the request are not part of the export. Owners only.',
    body: eventExportBody,
    result: ['The requested export.', shown],
    operation: 'eventExportRequest',
    action: eventExportRequest,
    input: ({ format, ...same }) => ({
      ...same,
      format: format === 'parquet' ? ('PARQUET' as const) : ('JSON_LINES' as const),
    }),
    show: exportShown,
  });
  changeRoute(app, {
    ...common,
    method: 'delete',
    path: PATH,
    operationId: 'deleteExport',
    summary: 'Delete an export before it expires',
    description: 'A download in progress continues. Owners only.',
    params,
    result: ['The ID of the deleted export.', { deleted_id: params.shape.export_id }],
    statuses: [404],
    operation: 'eventExportDelete',
    action: eventExportDelete,
    input: ({ export_id: id }) => ({ id }),
    show: ({ id }) => ({ deleted_id: id }),
  });
  chunkRoute(app);
}

const bytes = z.string().meta({ format: 'binary', example: 'PAR1' });

function chunkRoute(app: RestApp): void {
  const download = createRoute({
    method: 'get',
    path: `${PATH}/chunks/{number}`,
    tags: ['Exports'],
    operationId: 'downloadExportChunk',
    summary: 'Download a chunk of an export',
    description:
      'A chunk contains the same bytes each time it is downloaded, so you can resume an interrupted download of an export by downloading the interrupted chunk again. Returns 409 if any of the chunk’s events arrived late or were deleted after the chunk was counted. Owners only.',
    middleware: allow('owner', 2 * QUESTION_POINTS),
    request: { params: chunkParams, headers: workspaceHeader },
    responses: {
      200: {
        description: 'The events, ordered by time, name and message ID.',
        headers: {
          'X-Event-Count': {
            description: 'The number of events in the chunk.',
            schema: { type: 'integer' as const },
          },
        },
        content: {
          [CONTENT_TYPES.PARQUET]: { schema: bytes },
          [CONTENT_TYPES.JSON_LINES]: { schema: bytes },
        },
      },
      ...errors(400, 404, 409, 422, 503),
    },
  });
  app.openapi(download, async c => {
    const { export_id: exportId, number } = c.req.valid('param');
    const { context } = c.var;
    const chunk = await downloadChunk(context, { exportId, number });
    context.note({ exportId, chunk: number, events: chunk.events });
    return chunkAnswer(chunk, number) as never;
  });
}

const CONTENT_TYPES = {
  PARQUET: 'application/vnd.apache.parquet',
  JSON_LINES: 'application/x-ndjson',
} as const;

const SUFFIXES = { PARQUET: 'parquet', JSON_LINES: 'jsonl' } as const;

function chunkAnswer({ format, fromAt, events, stream }: DownloadedChunk, number: number) {
  const name = `events-${fromAt.toISOString().slice(0, 10)}-${number}.${SUFFIXES[format]}`;
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': CONTENT_TYPES[format],
      'content-disposition': `attachment; filename="${name}"`,
      'x-event-count': String(events),
    },
  });
}

async function exportShown({ id }: { readonly id: string }, context: Context) {
  const [found] = await eventExportsByIds(context, [id]);
  if (found === undefined) return notFound('export');
  return { export: exportAnswer(found) };
}

function exportAnswer(one: ShownExport): EventExportResource {
  return {
    id: one.id,
    format: one.format === 'PARQUET' ? 'parquet' : 'json_lines',
    names: one.names.length === 0 ? null : one.names,
    range: { from: one.fromAt.toISOString(), to: one.toAt.toISOString() },
    received_before: one.receivedBefore.toISOString(),
    state: one.state.toLowerCase() as EventExportResource['state'],
    fault: one.fault ?? null,
    days: one.dayCount,
    days_done: one.daysDone,
    chunks: one.chunkCount,
    events: one.eventCount,
    created_at: one.createdAt.toISOString(),
    expires_at: one.expiresAt.toISOString(),
  };
}
