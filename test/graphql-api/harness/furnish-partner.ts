// Partner data for the tests that walk the schema: an affiliate profile, and data of agencies.

import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import type { Tenant } from '../../harness/tenant.ts';
import { createAgency, createCertificate, createDeal, createKycSubmission } from './partner.ts';

export function dealIdOf({ organizationId }: Tenant): string {
  return derivedUuid('deal of a test', organizationId);
}

export function certificateIdOf({ organizationId }: Tenant): string {
  return derivedUuid('certificate of a test', organizationId);
}

export async function furnishPartner(tenant: Tenant): Promise<void> {
  const { organizationId } = tenant;
  await createKycSubmission(organizationId);
  await createAgency(organizationId);
  await createDeal(organizationId, { id: dealIdOf(tenant) });
  await createCertificate(organizationId, certificateIdOf(tenant));
}
