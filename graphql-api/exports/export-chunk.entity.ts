import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';

export const EventExportChunkSchema = defineEntity({
  name: 'EventExportChunk',
  tableName: 'event_export_chunks',
  properties: {
    exportId: p.uuid().primary(),
    number: p.integer().primary(),
    workspaceId: p.uuid(),
    fromAt: instant(),
    toAt: instant(),
    events: p.integer(),
    fingerprint: p.text(),
  },
});

/** A period of an export, and its events when they were counted. */
export class EventExportChunk extends EventExportChunkSchema.class {}
EventExportChunkSchema.setClass(EventExportChunk);
