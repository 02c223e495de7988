import { builder } from '../platform/graph/builder.ts';
import { connectionOfPage, pageArgs, pageCost } from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { ingressLimitsByIds } from './ingress-limit.reads.ts';
import { organizationUpdateContract } from './organization.contract.ts';
import { Organization } from './organization.entity.ts';
import { organizationsByIds } from './organization.reads.ts';
import { organizationUpdate } from './organization.update.ts';
import { WorkspaceConnection } from './workspace.graph.ts';
import { workspacesPage } from './workspace.reads.ts';

export const organizationById = loaderById(organizationsByIds);
const ingressLimitById = loaderById(ingressLimitsByIds);

export const OrganizationRef = builder.node(Organization, {
  name: 'Organization',
  description: 'A tenant: all that is paid for and seen together.',
  authScopes: { member: true },
  id: { resolve: organization => organization.id },
  loadOne: (id, graph) => organizationById(graph, id),
  fields: t => ({
    name: t.exposeString('name', { nullable: false, description: 'What people call it.' }),
    ingressEventsPerMinute: t.int({
      description:
        'Events that all its keys may send in a minute: a limit of its own, else the default of its cells. Platform admins set both. Null is unlimited.',
      resolve: async ({ id }, _args, graph) =>
        (await ingressLimitById(graph, id))?.eventsPerMinute ?? null,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was made.',
    }),
    workspaces: t.field({
      type: WorkspaceConnection,
      nullable: false,
      description: 'Its workspaces; only the viewer’s own where the request names one.',
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
    description: 'The viewer’s organisation.',
    authScopes: { member: true },
    resolve: (_root, _args, graph) => {
      const id = graph.context.viewer?.organizationId;
      return id === undefined ? null : organizationById(graph, id);
    },
  }),
);

mutation({
  name: 'organizationUpdate',
  description: 'Changes the viewer’s organisation.',
  access: 'owner',
  input: t => ({ name: t.string({ required: true, description: 'What people call it.' }) }),
  contract: organizationUpdateContract,
  codes: [],
  action: organizationUpdate,
  payload: t => ({
    organization: t.field({
      type: OrganizationRef,
      description: 'The organisation as it is now.',
      resolve: ({ result }, _args, graph) => result && organizationById(graph, result.id),
    }),
  }),
});
