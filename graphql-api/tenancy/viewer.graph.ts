import { builder } from '../platform/graph/builder.ts';
import { uppercaseEnum } from '../platform/graph/described-enum.ts';
import { expose, memberObject } from '../platform/graph/fields.ts';
import type { Role, Viewer } from '../platform/viewer.ts';
import { OrganizationRef, organizationById } from './organization.graph.ts';
import { WorkspaceRef, workspaceById } from './workspace.graph.ts';

const RoleRef = uppercaseEnum<Role>('Role', 'The role of a user in an organization.', {
  member: 'A member can read everything in the workspace and edit drafts.',
  owner:
    'An owner can do everything that a member can, and can also move money, activate and delete objects, and manage SDK keys.',
  platform_admin: 'A platform admin can administer the platform across all organizations.',
});

const ViewerRef = memberObject<Viewer>('Viewer', {
  description: 'The authenticated user, as described by their token.',
  fields: t => ({
    ...expose(t, 'String!', { userId: 'The ID of the user, as assigned by the token’s issuer.' }),
    roles: t.field({
      type: [RoleRef],
      nullable: false,
      description: 'The roles of the viewer.',
      complexity: 0,
      resolve: ({ roles }) => [...roles],
    }),
    organization: t.field({
      type: OrganizationRef,
      description: 'The organization of the viewer; null if there is none.',
      resolve: ({ organizationId }, _args, graph) => organizationById(graph, organizationId),
    }),
    workspace: t.field({
      type: WorkspaceRef,
      description:
        'The workspace of the request; null if the organization has several workspaces and the request does not name one.',
      resolve: ({ workspaceId }, _args, graph) =>
        workspaceId === undefined ? null : workspaceById(graph, workspaceId),
    }),
  }),
});

builder.queryField('viewer', t =>
  t.field({
    type: ViewerRef,
    description: 'The authenticated user.',
    authScopes: { member: true },
    resolve: (_root, _args, { context }) => context.viewer ?? null,
  }),
);
