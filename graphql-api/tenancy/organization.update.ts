import { LockMode } from '@mikro-orm/postgresql';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { OrganizationUpdate } from './organization.contract.ts';
import { Organization } from './organization.entity.ts';

/** Gives the viewer's organisation another name. */
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
    // Of no workspace, though the request may name one.
    workspaceId: null,
  });
  return { id };
}
