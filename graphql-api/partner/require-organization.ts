import type { EntityManager } from '@mikro-orm/postgresql';
import { countOf } from '../platform/database/count-of.ts';
import { reject } from '../platform/rejected.ts';
import { Organization } from '../tenancy/organization.entity.ts';

/** `field` is the input that names the organization; null if a token names it. */
export async function requireOrganization(
  em: EntityManager,
  id: string,
  field: string | null = 'organizationId',
): Promise<void> {
  if ((await countOf(em, Organization, { id })) > 0) return;
  const message = 'No organization exists with this ID.';
  reject('NOT_FOUND', { ...(field !== null && { field: [field] }), message });
}
