import { countOf } from '../platform/database/count-of.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { Organization } from '../tenancy/organization.entity.ts';
import type { AgencyAppoint } from './agency.contract.ts';
import { AgencyProfile } from './agency.entity.ts';

/**
 * Appoints an organization as an agency and records its agreement. For an existing agency, updates
 * the recorded values. For platform admins.
 */
export async function agencyAppoint(
  scope: ActionScope,
  input: AgencyAppoint,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const organizationId = input.id;
  if ((await countOf(em, Organization, { id: organizationId })) === 0)
    return reject('NOT_FOUND', { field: ['id'], message: 'No organization exists with this ID.' });
  await oneAtATime(scope, `agency ${organizationId}`);
  const now = new Date(deps.clock.nowMs());
  const known = await em.findOne(AgencyProfile, { organizationId });
  const before = known === null ? undefined : recordedOf(known);
  const after = {
    domain: input.domain === undefined ? (before?.domain ?? null) : input.domain,
    agreementSignedAt:
      input.agreementSignedAt === undefined
        ? (before?.agreementSignedAt ?? null)
        : input.agreementSignedAt,
    agreementReference:
      input.agreementReference === undefined
        ? (before?.agreementReference ?? null)
        : input.agreementReference,
  };
  requireAgreement(input, after, now);
  await em.upsert(AgencyProfile, {
    organizationId,
    ...after,
    appointedBy: known?.appointedBy ?? viewer.userId,
    createdAt: known?.createdAt ?? now,
  });
  await em.execute(
    `INSERT INTO partner_profiles (organization_id, partner_status, created_at)
     VALUES (?, 'AGENCY', ?)
     ON CONFLICT (organization_id) DO UPDATE SET partner_status = 'AGENCY'`,
    [organizationId, now.toISOString()],
  );
  await audit({
    action: 'agency.appoint',
    subjectType: 'organization',
    subjectId: organizationId,
    organizationId,
    workspaceId: null,
    ...(before && { before: { ...before } }),
    after,
  });
  return { id: organizationId };
}

type Recorded = {
  readonly domain: string | null;
  readonly agreementSignedAt: Date | null;
  readonly agreementReference: string | null;
};

function recordedOf(agency: AgencyProfile): Recorded {
  return {
    domain: agency.domain ?? null,
    agreementSignedAt: agency.agreementSignedAt ?? null,
    agreementReference: agency.agreementReference ?? null,
  };
}

function requireAgreement(
  { agreementSignedAt: saidSignedAt }: AgencyAppoint,
  { agreementSignedAt, agreementReference }: Recorded,
  now: Date,
): void {
  if (saidSignedAt != null && saidSignedAt > now)
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
