import type { TablesOf } from '../platform/database/kysely.ts';
import { AnalystLoginSchema } from './analyst-login.entity.ts';
import { CellSchema } from './cell.entity.ts';
import { OrganizationSchema } from './organization.entity.ts';
import { PropertySchema } from './property.entity.ts';
import { RevokedSubjectSchema } from './revoked-subject.entity.ts';
import { SdkKeySchema } from './sdk-key.entity.ts';
import { WorkspaceSchema } from './workspace.entity.ts';

/** The entities that the ORM maps; a test compares each with its table. */
export const TENANCY_ENTITIES = [
  AnalystLoginSchema,
  CellSchema,
  OrganizationSchema,
  PropertySchema,
  RevokedSubjectSchema,
  SdkKeySchema,
  WorkspaceSchema,
] as const;

declare module '../platform/database/kysely.ts' {
  interface Tables extends TablesOf<typeof TENANCY_ENTITIES> {
    /** A view: the limit of each organization, its own or the lowest default of its cells. */
    ingress_limits: {
      organizationId: string;
      /** Null if unlimited. */
      eventsPerMinute: number | null;
    };
    /** Ingest's counters of events, per SDK key or organization. */
    quota_windows: { scope: string; windowStart: Date; used: bigint };
  }
}
