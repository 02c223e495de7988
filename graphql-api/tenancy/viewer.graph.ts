import { builder } from '../platform/graph/builder.ts';
import type { Role, Viewer } from '../platform/viewer.ts';
import { OrganizationRef, organizationById } from './organization.graph.ts';
import { WorkspaceRef, workspaceById } from './workspace.graph.ts';

const RoleRef = builder.enumType('Role', {
  description: 'What somebody may do in an organisation.',
  values: {
    MEMBER: { value: 'member' as Role, description: 'Reads, and edits drafts.' },
    OWNER: {
      value: 'owner' as Role,
      description: 'Also moves money, activates, deletes and manages keys.',
    },
    PLATFORM_ADMIN: { value: 'platform_admin' as Role, description: 'Runs the platform itself.' },
  },
});

const ViewerRef = builder.objectRef<Viewer>('Viewer').implement({
  description: 'Who asks, as their token says.',
  authScopes: { member: true },
  fields: t => ({
    userId: t.exposeString('userId', {
      nullable: false,
      description: 'The user, as the issuer of the token names them.',
    }),
    roles: t.field({
      type: [RoleRef],
      nullable: false,
      description: 'What they may do.',
      complexity: 0,
      resolve: ({ roles }) => [...roles],
    }),
    organization: t.field({
      type: OrganizationRef,
      description: 'Their organisation.',
      resolve: ({ organizationId }, _args, graph) => organizationById(graph, organizationId),
    }),
    workspace: t.field({
      type: WorkspaceRef,
      description: 'Their workspace; null where the request names none of several.',
      resolve: ({ workspaceId }, _args, graph) =>
        workspaceId === undefined ? null : workspaceById(graph, workspaceId),
    }),
  }),
});

builder.queryField('viewer', t =>
  t.field({
    type: ViewerRef,
    description: 'Who asks.',
    authScopes: { member: true },
    resolve: (_root, _args, { context }) => context.viewer ?? null,
  }),
);
