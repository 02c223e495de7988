import type { TablesOf } from '../platform/database/kysely.ts';
import { TemplateAlertSchema } from './approval/alert.entity.ts';
import { ApprovalEventSchema } from './approval/approval-event.entity.ts';
import { ApprovalSendingSchema } from './approval/approval-sending.entity.ts';
import { ApprovalSettingsSchema } from './approval/approval-settings.entity.ts';
import { ApprovalSyncSchema } from './approval/approval-sync.entity.ts';
import { TemplateSubmissionSchema } from './approval/submission.entity.ts';
import { CatalogEntrySchema } from './catalog-entry.entity.ts';
import { TemplateSchema } from './template.entity.ts';
import { TemplateTransitionSchema } from './transition.entity.ts';
import { TemplateVerdictSchema } from './verdict.entity.ts';
import { TemplateVersionSchema } from './version.entity.ts';

/** The entities that the ORM maps; a test compares each with its table. */
export const TEMPLATES_ENTITIES = [
  ApprovalEventSchema,
  ApprovalSendingSchema,
  ApprovalSettingsSchema,
  ApprovalSyncSchema,
  CatalogEntrySchema,
  TemplateAlertSchema,
  TemplateSchema,
  TemplateSubmissionSchema,
  TemplateTransitionSchema,
  TemplateVerdictSchema,
  TemplateVersionSchema,
] as const;

declare module '../platform/database/kysely.ts' {
  interface Tables extends TablesOf<typeof TEMPLATES_ENTITIES> {}
}
