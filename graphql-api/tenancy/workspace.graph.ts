import { builder } from '../platform/graph/builder.ts';
import { connectionType } from '../platform/graph/connection.ts';
import { expose, memberNode } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { changedObject, mutation } from '../platform/graph/mutation.ts';
import { CellRef, cellById } from './cell.graph.ts';
import { workspaceCreate, workspaceUpdate } from './workspace.actions.ts';
import { workspaceCreateContract, workspaceUpdateContract } from './workspace.contract.ts';
import { ownWorkspacesByIds, workspacesByIds } from './workspace.reads.ts';

export const workspaceById = loaderById(workspacesByIds);
const ownWorkspaceById = loaderById(ownWorkspacesByIds);

export const WorkspaceRef = memberNode('Workspace', workspaceById, {
  description:
    'A workspace in an organization. It holds the contacts, campaigns and SDK keys of one product.',
  fields: t => ({
    ...expose(t, 'String!', { name: 'The name of the workspace.' }),
    ...expose(t, 'Int', {
      inAppDailyMax:
        'The maximum number of in-app impressions per person in any 24-hour period; null if unlimited.',
      inAppIntervalSecondsMin:
        'The minimum number of seconds between two in-app impressions for the same person; null if there is no minimum.',
    }),
    cell: t.field({
      type: CellRef,
      description: 'The cell that stores the workspace’s events.',
      resolve: ({ cellId }, _args, graph) => cellById(graph, cellId),
    }),
    ...expose(t, 'DateTime!', { createdAt: 'When the workspace was created.' }),
  }),
});

export const WorkspaceConnection = connectionType('Workspace', WorkspaceRef);

builder.queryField('workspace', t =>
  t.field({
    type: WorkspaceRef,
    description:
      'The viewer’s workspace; null if the organization has several workspaces and the request does not name one.',
    authScopes: { member: true },
    resolve: (_root, _args, graph) => {
      const id = graph.context.viewer?.workspaceId;
      return id === undefined ? null : workspaceById(graph, id);
    },
  }),
);

mutation({
  name: 'workspaceUpdate',
  description: 'Updates the viewer’s workspace. Omitted fields are unchanged; null removes a cap.',
  access: 'owner',
  input: t => ({
    name: t.string({ description: 'The name of the workspace.' }),
    inAppDailyMax: t.int({
      description: 'The maximum number of in-app impressions per person in any 24-hour period.',
    }),
    inAppIntervalSecondsMin: t.int({
      description:
        'The minimum number of seconds between two in-app impressions for the same person.',
    }),
  }),
  contract: workspaceUpdateContract,
  codes: ['WORKSPACE_FORBIDDEN'],
  action: workspaceUpdate,
  payload: changedObject('workspace', WorkspaceRef, workspaceById, 'The updated workspace.'),
});

mutation({
  name: 'workspaceCreate',
  description:
    'Creates a workspace in the viewer’s organization. Once the organization has more than one workspace, requests must name a workspace in `X-Workspace-ID`, unless the token names one.',
  access: 'owner',
  input: t => ({
    name: t.string({ required: true, description: 'The name of the workspace.' }),
    region: t.string({
      description:
        'The region in which events are stored, which must be one of `regions`. Defaults to the region of an existing workspace or, if there is none, to a region that the service chooses.',
    }),
  }),
  contract: workspaceCreateContract,
  codes: ['NO_CELL', 'TOO_MANY_WORKSPACES'],
  action: workspaceCreate,
  payload: changedObject('workspace', WorkspaceRef, ownWorkspaceById, 'The new workspace.'),
});
