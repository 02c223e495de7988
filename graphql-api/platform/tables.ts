import type { Generated } from 'kysely';
import { AuditEntrySchema } from './audit-entry.entity.ts';
import type { TablesOf } from './database/kysely.ts';
import { OutboxRowSchema } from './warehouse/outbox-row.entity.ts';

/** The entities of the platform; a test compares each with its table. */
export const PLATFORM_ENTITIES = [AuditEntrySchema, OutboxRowSchema] as const;

declare module './database/kysely.ts' {
  interface Tables extends TablesOf<typeof PLATFORM_ENTITIES> {
    idempotency_records: {
      organizationId: string;
      operation: string;
      key: string;
      requestHash: Buffer;
      result: unknown;
      createdAt: Date;
    };
    job_requests: { id: string; organizationId: string; job: string; data: object };
    job_runs: { job: string; dueAt: Date; isBaseline: Generated<boolean> };
    /** The columns of pg-boss's table that are used. The `source` columns are set only for dead letters. */
    'pgboss.job': {
      id: string;
      name: string;
      state: string;
      data: unknown;
      createdOn: Date;
      sourceName: string;
      sourceOutput: unknown;
      sourceRetryCount: number;
      sourceCreatedOn: Date;
    };
  }
}
