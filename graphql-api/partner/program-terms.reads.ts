import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { kysely, type RowOf, sql } from '../platform/database/kysely.ts';
import { notFound, reject } from '../platform/rejected.ts';
import { DEFAULT_REGION } from './ledger/default-region.ts';
import { PartnerProfile } from './partner-profile.entity.ts';

export type Terms = RowOf<'program_terms'>;

/** The terms of an organization's region. If it has a wallet, the wallet's region applies. */
export async function termsOf(em: EntityManager, organizationId: string): Promise<Terms> {
  const region = sql<string>`coalesce(
    (SELECT region FROM wallets WHERE organization_id = ${organizationId}),
    (SELECT region FROM partner_profiles WHERE organization_id = ${organizationId}),
    ${DEFAULT_REGION})`;
  const terms = await kysely(em)
    .selectFrom('program_terms')
    .selectAll()
    .where('region', '=', region)
    .executeTakeFirst();
  // Every region has terms, so a missing row means that the organization does not exist.
  return terms ?? notFound('organization');
}

/** The terms of all regions, for platform admins. */
export function allTerms(context: Context): Promise<Terms[]> {
  return readAcrossTenants(context, em =>
    kysely(em).selectFrom('program_terms').selectAll().orderBy('region').execute(),
  );
}

const ownByContext = new WeakMap<Context, Promise<Terms>>();

/** The terms of the viewer's organization. They do not change within a request. */
export function ownTerms(context: Context): Promise<Terms> {
  let terms = ownByContext.get(context);
  if (terms === undefined) {
    const { organizationId } = context.viewer ?? reject('UNAUTHENTICATED');
    terms = context.read().then(em => termsOf(em, organizationId));
    ownByContext.set(context, terms);
  }
  return terms;
}

export async function partnerStatus(context: Context): Promise<PartnerProfile['partnerStatus']> {
  const { organizationId } = context.viewer ?? reject('UNAUTHENTICATED');
  const profile = await (await context.read()).findOne(PartnerProfile, { organizationId });
  return profile?.partnerStatus ?? 'USER';
}
