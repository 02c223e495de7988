import type { EntityManager } from '@mikro-orm/postgresql';
import { countOf } from '../platform/database/count-of.ts';
import { reject } from '../platform/rejected.ts';
import { Organization } from '../tenancy/organization.entity.ts';

/** A token or an input can name an organization that does not exist here. */
export async function requireOrganization(
  em: EntityManager,
  id: string,
  field?: string,
): Promise<void> {
  if ((await countOf(em, Organization, { id })) > 0) return;
  const message = 'No organization exists with this ID.';
  reject('NOT_FOUND', { ...(field && { field: [field] }), message });
}
