import { Workspace } from '../../../schema/entities/workspace.ts';
import { workspaceUpdateContract } from '../../../schema/wire/workspace.ts';
import { workspaceUpdate } from '../../actions/workspace-update.ts';
import { workspacesByIds } from '../../reads/workspaces.ts';
import { builder } from '../builder.ts';
import { connectionType } from '../connection.ts';
import { loaderById } from '../loader.ts';
import { mutation } from '../mutation.ts';

export const workspaceById = loaderById(workspacesByIds);

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
