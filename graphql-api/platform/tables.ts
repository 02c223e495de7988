import { AuditEntrySchema } from './audit-entry.entity.ts';
import type { TablesOf } from './database/kysely.ts';
import { OutboxRowSchema } from './warehouse/outbox-row.entity.ts';

/** The entities of the platform; a test compares each with its table. */
export const PLATFORM_ENTITIES = [AuditEntrySchema, OutboxRowSchema] as const;

declare module './database/kysely.ts' {
  interface Tables extends TablesOf<typeof PLATFORM_ENTITIES> {}
}
