import { sql } from '../platform/database/kysely.ts';

/** Deletes exports that expired before a time, with their chunks. */
export const EXPIRED_EXPORTS = (before: Date, limit: number) => sql`
  DELETE FROM event_exports WHERE id IN (
    SELECT id FROM event_exports WHERE expires_at < ${before} LIMIT ${limit})`;
