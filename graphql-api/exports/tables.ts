import type { TablesOf } from '../platform/database/kysely.ts';
import { EventExportSchema } from './export.entity.ts';
import { EventExportChunkSchema } from './export-chunk.entity.ts';

/** The entities that the ORM maps; a test compares each with its table. */
export const EXPORTS_ENTITIES = [EventExportChunkSchema, EventExportSchema] as const;

declare module '../platform/database/kysely.ts' {
  interface Tables extends TablesOf<typeof EXPORTS_ENTITIES> {}
}
