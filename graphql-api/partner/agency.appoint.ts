import { kysely } from '../platform/database/kysely.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { AgencyAppoint } from './agency.contract.ts';
import { AgencyProfile } from './agency.entity.ts';
import { requireOrganization } from './require-organization.ts';

/**
 * Appoints an organization as an agency and records its agreement. For an existing agency, updates
 * the recorded values. Platform admins only.
 */
export async function agencyAppoint(
  scope: ActionScope,
  input: AgencyAppoint,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const organizationId = input.id;
  await requireOrganization(em, organizationId, 'id');
  await oneAtATime(scope, `agency ${organizationId}`);
  const now = new Date(deps.clock.nowMs());
  const agency = await em.findOne(AgencyProfile, { organizationId });
  const before = agency === null ? undefined : agreementOf(agency);
  // Omitted fields are unchanged; null clears a field.
  const after = agreementOf({
    domain: input.domain === undefined ? before?.domain : input.domain,
    agreementSignedAt:
      input.agreementSignedAt === undefined ? before?.agreementSignedAt : input.agreementSignedAt,
    agreementReference:
      input.agreementReference === undefined
        ? before?.agreementReference
        : input.agreementReference,
  });
  requireAgreement(input, after, now);
  await em.upsert(AgencyProfile, {
    organizationId,
    ...after,
    appointedBy: agency?.appointedBy ?? viewer.userId,
    createdAt: agency?.createdAt ?? now,
  });
  await kysely(em)
    .insertInto('partner_profiles')
    .values({ organizationId, partnerStatus: 'AGENCY', createdAt: now })
    .onConflict(known => known.column('organizationId').doUpdateSet({ partnerStatus: 'AGENCY' }))
    .execute();
  await audit({
    action: 'agency.appoint',
    subjectType: 'organization',
    subjectId: organizationId,
    organizationId,
    workspaceId: null,
    ...(before && { before }),
    after,
  });
  return { id: organizationId };
}

type Agreement = Pick<AgencyProfile, 'domain' | 'agreementSignedAt' | 'agreementReference'>;

function agreementOf({ domain, agreementSignedAt, agreementReference }: Partial<Agreement>) {
  return {
    domain: domain ?? null,
    agreementSignedAt: agreementSignedAt ?? null,
    agreementReference: agreementReference ?? null,
  };
}

function requireAgreement(
  { agreementSignedAt: signedAt }: AgencyAppoint,
  { agreementSignedAt, agreementReference }: ReturnType<typeof agreementOf>,
  now: Date,
): void {
  if (signedAt != null && signedAt > now)
    reject('BAD_USER_INPUT', {
      field: ['agreementSignedAt'],
      message: 'agreementSignedAt must not be in the future.',
    });
  if (agreementSignedAt === null && agreementReference !== null)
    reject('BAD_USER_INPUT', {
      field: ['agreementReference'],
      message: 'agreementReference requires agreementSignedAt.',
    });
}
