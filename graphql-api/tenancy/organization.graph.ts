import { builder } from '../platform/graph/builder.ts';
import { connectionOfPage, pageArgs, pageCost } from '../platform/graph/connection.ts';
import { expose, memberNode } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { changed, mutation } from '../platform/graph/mutation.ts';
import { organizationUpdate, organizationUpdateContract } from './organization.actions.ts';
import { ingressLimitsByIds, organizationsByIds } from './organization.reads.ts';
import { WorkspaceConnection } from './workspace.graph.ts';
import { workspacesPage } from './workspace.reads.ts';

export const organizationById = loaderById(organizationsByIds);
const ingressLimitById = loaderById(ingressLimitsByIds);

export const OrganizationRef = memberNode('Organization', organizationById, {
  description: 'A tenant. An organization owns workspaces and is billed as a whole.',
  fields: t => ({
    ...expose(t, 'String!', { name: 'The name of the organization.' }),
    ingressEventsPerMinute: t.int({
      description:
        'The ingress limit, in events per minute across all SDK keys of the organization; null if unlimited. This is the organization’s own limit or, if it has none, the lowest default limit of its cells. Platform admins set these limits.',
      resolve: async ({ id }, _args, graph) =>
        (await ingressLimitById(graph, id))?.eventsPerMinute ?? null,
    }),
    ...expose(t, 'DateTime!', { createdAt: 'When the organization was created.' }),
    workspaces: t.field({
      type: WorkspaceConnection,
      nullable: false,
      description:
        'The workspaces of the organization. If the request names a workspace, only that workspace is returned.',
      args: pageArgs(t.arg),
      complexity: pageCost,
      resolve: async (_organization, page, { context }) =>
        connectionOfPage(await workspacesPage(context, page), page),
    }),
  }),
});

builder.queryField('organization', t =>
  t.field({
    type: OrganizationRef,
    description: 'The viewer’s organization; null if there is none.',
    authScopes: { member: true },
    resolve: (_root, _args, graph) => {
      const id = graph.context.viewer?.organizationId;
      return id === undefined ? null : organizationById(graph, id);
    },
  }),
);

mutation({
  name: 'organizationUpdate',
  description: 'Updates the viewer’s organization.',
  access: 'owner',
  input: t => ({
    name: t.string({ required: true, description: 'The name of the organization.' }),
  }),
  contract: organizationUpdateContract,
  codes: [],
  action: organizationUpdate,
  payload: t => ({
    organization: changed(t, OrganizationRef, organizationById, 'The updated organization.'),
  }),
});
