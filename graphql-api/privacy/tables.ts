import type { TablesOf } from '../platform/database/kysely.ts';
import { PersonErasureSchema } from './person-erasure.entity.ts';
import { PersonExportSchema } from './person-export.entity.ts';
import { PrivacySettingsSchema } from './privacy-settings.entity.ts';
import { RetentionRuleSchema } from './retention-rule.entity.ts';

/** The entities that the ORM maps; a test compares each with its table. */
export const PRIVACY_ENTITIES = [
  PersonErasureSchema,
  PersonExportSchema,
  PrivacySettingsSchema,
  RetentionRuleSchema,
] as const;

declare module '../platform/database/kysely.ts' {
  interface Tables extends TablesOf<typeof PRIVACY_ENTITIES> {}
}
