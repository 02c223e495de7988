import type { TablesOf } from '../platform/database/kysely.ts';
import { CampaignSchema } from './campaign.entity.ts';

/** The entities that the ORM maps; a test compares each with its table. */
export const CAMPAIGNS_ENTITIES = [CampaignSchema] as const;

declare module '../platform/database/kysely.ts' {
  interface Tables extends TablesOf<typeof CAMPAIGNS_ENTITIES> {}
}
