import { defineEntity, p } from '@mikro-orm/core';
import { instant, textArray } from '../platform/database/columns.ts';

export type ExportFormat = 'PARQUET' | 'JSON_LINES';

export const EventExportSchema = defineEntity({
  name: 'EventExport',
  tableName: 'event_exports',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    format: p.text().$type<ExportFormat>(),
    names: textArray(),
    fromAt: instant(),
    toAt: instant(),
    receivedBefore: instant(),
    dayCount: p.integer(),
    daysDone: p.integer().default(0),
    chunkCount: p.integer().default(0),
    eventCount: p.integer().default(0),
    fault: p.text().nullable(),
    createdBy: p.text(),
    createdAt: instant(),
    finishedAt: instant().nullable(),
    expiresAt: instant(),
  },
});

/** A request of a workspace for the events of a range, as chunks to download. */
export class EventExport extends EventExportSchema.class {}
EventExportSchema.setClass(EventExport);
