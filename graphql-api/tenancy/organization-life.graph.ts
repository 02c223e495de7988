// Creating and closing organizations, for platform admins.

import { changed, changedObject, mutation } from '../platform/graph/mutation.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import {
  ERASE_AFTER_DAYS,
  organizationClose,
  organizationCloseContract,
} from './organization.close.ts';
import { organizationCreate, organizationCreateContract } from './organization.create.ts';
import { OrganizationRef } from './organization.graph.ts';
import {
  PlatformOrganizationRef,
  platformOrganizationById,
} from './platform-organization.graph.ts';

mutation({
  name: 'organizationCreate',
  description:
    'Creates an organization and, if `workspaceName` is set, its first workspace with a property and an SDK key. Platform admins only.',
  access: 'platformAdmin',
  input: t => ({
    name: t.string({ required: true, description: 'The name of the organization.' }),
    workspaceName: t.string({
      description: 'The name of the first workspace; null to create no workspace.',
    }),
    region: t.string({
      description: 'The region of the first workspace; null for any region with an enabled cell.',
    }),
  }),
  contract: organizationCreateContract,
  codes: ['NO_CELL'],
  action: organizationCreate,
  payload: t => ({
    organization: changed(
      t,
      PlatformOrganizationRef,
      platformOrganizationById,
      'The new organization.',
    ),
    workspaceId: t.id({
      description: 'The global ID of the first workspace; null if none was created.',
      resolve: ({ result }) =>
        result?.workspace ? encodeNodeId('Workspace', result.workspace.id) : null,
    }),
    writeKey: t.string({
      description: 'The write key of the first SDK key; null if none was created.',
      resolve: ({ result }) => result?.workspace?.writeKey ?? null,
    }),
  }),
});

mutation({
  name: 'organizationClose',
  description: `Closes an organization permanently. Its tokens and SDK keys are refused within seconds. Its webhook endpoints are disabled, its journeys are paused, and its segments are archived. The personal data in its workspaces is erased after ${ERASE_AFTER_DAYS} days; payments, ledger entries and audit entries are kept. Platform admins only; they cannot close their own organization. Idempotent.`,
  access: 'platformAdmin',
  target: OrganizationRef,
  input: t => ({
    confirm: t.string({
      required: true,
      description: 'The exact name of the organization, to confirm the closure.',
    }),
  }),
  contract: organizationCloseContract,
  codes: ['NOT_FOUND', 'CONFIRMATION_MISMATCH'],
  action: organizationClose,
  payload: changedObject(
    'organization',
    PlatformOrganizationRef,
    platformOrganizationById,
    'The closed organization.',
  ),
});
