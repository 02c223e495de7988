import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../database/columns.ts';

export const OutboxRowSchema = defineEntity({
  name: 'OutboxRow',
  tableName: 'ingest_outbox',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    tableName: p.text(),
    // Up to 256 KB.
    row: p.json<Readonly<Record<string, unknown>>>().lazy(),
    createdAt: createdAt(),
    retryAt: createdAt(),
    attempts: p.integer().default(0),
    failedAt: instant().nullable(),
    failure: p.text().nullable(),
  },
});

/** A row for ClickHouse that waits to be sent to ingest. */
export class OutboxRow extends OutboxRowSchema.class {}
OutboxRowSchema.setClass(OutboxRow);
