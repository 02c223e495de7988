import { z } from 'zod';
import { requiredText } from '../../schema/values/text.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { NAME_CHARACTERS_MAX } from './organization.actions.ts';
import { Organization } from './organization.entity.ts';
import { propertyCreate } from './property.actions.ts';
import { sdkKeyCreate } from './sdk-key.actions.ts';
import { SdkKey } from './sdk-key.entity.ts';
import { workspaceCreate } from './workspace.actions.ts';
import { workspaceCreateContract } from './workspace.contract.ts';

export const organizationCreateContract = z.strictObject({
  name: requiredText(NAME_CHARACTERS_MAX),
  /** Also creates a workspace with this name, with a property and an SDK key. */
  workspaceName: workspaceCreateContract.shape.name.nullish(),
  region: workspaceCreateContract.shape.region,
});

type CreatedOrganization = {
  readonly id: string;
  readonly workspace?: {
    readonly id: string;
    readonly propertyId: string;
    readonly writeKey: string;
  };
};

/** Creates an organization and, if it is named, its first workspace. */
export async function organizationCreate(
  scope: ActionScope,
  { name, workspaceName, region }: z.output<typeof organizationCreateContract>,
): Promise<CreatedOrganization> {
  if (region && !workspaceName)
    reject('BAD_USER_INPUT', {
      field: ['region'],
      message: 'region requires workspaceName, because it is the region of the first workspace.',
    });
  const { em, deps, audit } = scope;
  const id = deps.newId();
  await em.insert(Organization, { id, name, createdAt: new Date(deps.clock.nowMs()) });
  await audit({
    action: 'organization.create',
    subjectId: id,
    after: { name },
    organizationId: id,
    workspaceId: null,
  });
  if (!workspaceName) return { id };
  return { id, workspace: await addWorkspace(scope, id, workspaceName, region) };
}

async function addWorkspace(
  scope: ActionScope,
  organizationId: string,
  name: string,
  region: string | null | undefined,
): Promise<NonNullable<CreatedOrganization['workspace']>> {
  const inOrganization = within(scope, organizationId);
  const { id } = await workspaceCreate(inOrganization, { name, region });
  const inWorkspace = within(scope, organizationId, id);
  const property = await propertyCreate(inWorkspace, { name });
  const key = await sdkKeyCreate(inWorkspace, { name });
  const { writeKey } = await scope.em.findOneOrFail(SdkKey, { id: key.id });
  return { id, propertyId: property.id, writeKey };
}

/** The same transaction and actor, in another organization than the actor's. */
function within(scope: ActionScope, organizationId: string, workspaceId?: string): ActionScope {
  const viewer = { ...scope.viewer, organizationId, workspaceId };
  return {
    ...scope,
    viewer,
    audit: change => scope.audit({ organizationId, workspaceId: workspaceId ?? null, ...change }),
  };
}
