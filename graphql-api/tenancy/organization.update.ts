import { LockMode } from '@mikro-orm/postgresql';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { OrganizationUpdate } from './organization.contract.ts';
import { Organization } from './organization.entity.ts';

/** Renames the viewer's organization. */
export async function organizationUpdate(
  { em, viewer, audit }: ActionScope,
  { name }: OrganizationUpdate,
): Promise<{ readonly id: string }> {
  const id = viewer.organizationId;
  const organization = await em.findOne(
    Organization,
    { id },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (organization === null) return reject('FORBIDDEN');
  const before = { name: organization.name };
  organization.name = name;
  await em.flush();
  await audit({
    action: 'organization.update',
    subjectType: 'organization',
    subjectId: id,
    before,
    after: { name },
    // The change belongs to no workspace, even if the request names one.
    workspaceId: null,
  });
  return { id };
}
