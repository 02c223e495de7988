import type { EntityManager } from '@mikro-orm/postgresql';
import { kysely } from '../platform/database/kysely.ts';
import { LATE_DAYS_DEFAULT } from './person.contract.ts';

/** How long data that arrives after an erasure is deleted as well. */
export async function lateDaysOf(em: EntityManager, workspaceId: string): Promise<number> {
  const stored = await kysely(em)
    .selectFrom('privacy_settings')
    .select('lateDays')
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst();
  return stored?.lateDays ?? LATE_DAYS_DEFAULT;
}
