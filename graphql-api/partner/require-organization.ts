import type { EntityManager } from '@mikro-orm/postgresql';
import { countOf } from '../platform/database/count-of.ts';
import { notFound } from '../platform/rejected.ts';
import { Organization } from '../tenancy/organization.entity.ts';

/** `field` is the input that names the organization; null if a token names it. */
export async function requireOrganization(
  em: EntityManager,
  id: string,
  field: string | null = 'organizationId',
): Promise<void> {
  if ((await countOf(em, Organization, { id })) === 0) notFound('organization', field ?? undefined);
}
