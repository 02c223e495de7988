// Reads a chunk of an export from ClickHouse. A chunk is refused unless it contains exactly the events
// that were counted, so the chunks together contain each event of the export exactly once.

import type { Readable } from 'node:stream';
import type { Context } from '../platform/context.ts';
import { kysely } from '../platform/database/kysely.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { EventExport, ExportFormat } from './export.entity.ts';
import { countStatement, eventsStatement } from './export.sql.ts';
import type { EventExportChunk } from './export-chunk.entity.ts';

export type DownloadedChunk = {
  readonly format: ExportFormat;
  readonly fromAt: Date;
  readonly events: number;
  readonly stream: Readable;
};

type ChunkName = { readonly exportId: string; readonly number: number };

const FORMATS = { PARQUET: 'Parquet', JSON_LINES: 'JSONEachRow' } as const;

export async function downloadChunk(context: Context, name: ChunkName): Promise<DownloadedChunk> {
  const { deps, viewer } = context;
  const chunk = await findChunk(context, name);
  // The download may take minutes.
  await context.endRead();
  const { format, names, receivedBefore, fromAt, toAt, events, fingerprint } = chunk;
  const range = { fromMs: fromAt.getTime(), toMs: toAt.getTime() };
  const selection = { ...range, names, receivedBefore };
  const workspace = {
    organizationId: viewer!.organizationId,
    workspaceId: workspaceOf(viewer),
  };
  const [now] = await deps.warehouses.ask<{ events: number; fingerprint: string }>({
    ...workspace,
    ...countStatement(selection),
  });
  if (now!.events !== events || now!.fingerprint !== fingerprint) reject('EXPORT_CHANGED');
  const statement = { ...workspace, ...eventsStatement(selection) };
  const stream = await deps.warehouses.download(statement, FORMATS[format]);
  return { format, fromAt, events, stream };
}

type FoundChunk = Pick<EventExport, 'format' | 'names' | 'receivedBefore'> &
  Pick<EventExportChunk, 'fromAt' | 'toAt' | 'events' | 'fingerprint'>;

async function findChunk(context: Context, { exportId, number }: ChunkName): Promise<FoundChunk> {
  const em = await context.read();
  const found = await kysely(em)
    .selectFrom('event_export_chunks as chunk')
    .innerJoin('event_exports as export', 'export.id', 'chunk.exportId')
    .select([
      'export.format',
      'export.names',
      'export.receivedBefore',
      'chunk.fromAt',
      'chunk.toAt',
      'chunk.events',
      'chunk.fingerprint',
    ])
    .where('chunk.exportId', '=', exportId)
    .where('chunk.number', '=', number)
    .where('chunk.workspaceId', '=', workspaceOf(context.viewer))
    .where('export.expiresAt', '>', new Date(context.deps.clock.nowMs()))
    .executeTakeFirst();
  return (
    found ??
    reject('NOT_FOUND', { message: 'No export with this ID has a chunk with this number.' })
  );
}
