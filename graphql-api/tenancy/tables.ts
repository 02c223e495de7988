import type { TablesOf } from '../platform/database/kysely.ts';
import { CellSchema } from './cell.entity.ts';
import { OrganizationSchema } from './organization.entity.ts';
import { PropertySchema } from './property.entity.ts';
import { SdkKeySchema } from './sdk-key.entity.ts';
import { WorkspaceSchema } from './workspace.entity.ts';

/** What the ORM knows; a test compares each with its table. */
export const TENANCY_ENTITIES = [
  CellSchema,
  OrganizationSchema,
  PropertySchema,
  SdkKeySchema,
  WorkspaceSchema,
] as const;

declare module '../platform/database/kysely.ts' {
  interface Tables extends TablesOf<typeof TENANCY_ENTITIES> {}
}
