import type { EntityManager } from '@mikro-orm/postgresql';
import { kysely } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';

export async function requireOrganization(em: EntityManager, id: string): Promise<void> {
  const organization = await kysely(em)
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  if (organization === undefined)
    reject('NOT_FOUND', {
      field: ['organizationId'],
      message: 'No organization exists with this ID.',
    });
}
