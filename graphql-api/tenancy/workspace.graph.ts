import { builder } from '../platform/graph/builder.ts';
import { connectionType } from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { CellRef, cellById } from './cell.graph.ts';
import { workspaceCreateContract, workspaceUpdateContract } from './workspace.contract.ts';
import { workspaceCreate } from './workspace.create.ts';
import { Workspace } from './workspace.entity.ts';
import { ownWorkspacesByIds, workspacesByIds } from './workspace.reads.ts';
import { workspaceUpdate } from './workspace.update.ts';

export const workspaceById = loaderById(workspacesByIds);
const ownWorkspaceById = loaderById(ownWorkspacesByIds);

export const WorkspaceRef = builder.node(Workspace, {
  name: 'Workspace',
  description: 'Where an organisation keeps one product’s people, campaigns and keys.',
  authScopes: { member: true },
  id: { resolve: workspace => workspace.id },
  loadOne: (id, graph) => workspaceById(graph, id),
  fields: t => ({
    name: t.exposeString('name', { nullable: false, description: 'What people call it.' }),
    inAppDailyMax: t.exposeInt('inAppDailyMax', {
      description:
        'Impressions of in-app content to one person in any 24 hours; null is unlimited.',
    }),
    inAppIntervalSecondsMin: t.exposeInt('inAppIntervalSecondsMin', {
      description: 'Seconds between two impressions to one person; null is none.',
    }),
    cell: t.field({
      type: CellRef,
      description: 'Where its events are.',
      resolve: ({ cellId }, _args, graph) => cellById(graph, cellId),
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was made.',
    }),
  }),
});

export const WorkspaceConnection = connectionType('Workspace', WorkspaceRef);

builder.queryField('workspace', t =>
  t.field({
    type: WorkspaceRef,
    description: 'The viewer’s workspace; null where the request names none of several.',
    authScopes: { member: true },
    resolve: (_root, _args, graph) => {
      const id = graph.context.viewer?.workspaceId;
      return id === undefined ? null : workspaceById(graph, id);
    },
  }),
);

mutation({
  name: 'workspaceUpdate',
  description: 'Changes the viewer’s workspace. What is left out stays; null lifts a cap.',
  access: 'owner',
  input: t => ({
    name: t.string({ description: 'What people call it.' }),
    inAppDailyMax: t.int({
      description: 'Impressions of in-app content to one person in any 24 hours.',
    }),
    inAppIntervalSecondsMin: t.int({ description: 'Seconds between two impressions.' }),
  }),
  contract: workspaceUpdateContract,
  codes: ['WORKSPACE_FORBIDDEN'],
  action: workspaceUpdate,
  payload: t => ({
    workspace: t.field({
      type: WorkspaceRef,
      description: 'The workspace as it is now.',
      resolve: ({ result }, _args, graph) => result && workspaceById(graph, result.id),
    }),
  }),
});

mutation({
  name: 'workspaceCreate',
  description:
    'Adds a workspace to the viewer’s organisation. Later requests name it in X-Workspace-ID, since there are several then.',
  access: 'owner',
  input: t => ({
    name: t.string({ required: true, description: 'What people call it.' }),
    region: t.string({
      description:
        'Where its events are kept, one of `regions`; unless said, where the others are.',
    }),
  }),
  contract: workspaceCreateContract,
  codes: ['NO_CELL', 'TOO_MANY_WORKSPACES'],
  action: workspaceCreate,
  payload: t => ({
    workspace: t.field({
      type: WorkspaceRef,
      description: 'The new workspace.',
      resolve: ({ result }, _args, graph) => result && ownWorkspaceById(graph, result.id),
    }),
  }),
});
