import type { ObjectRef } from '@pothos/core';
import { builder, type GraphContext, type SchemaTypes } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { catalogEntriesByIds } from './catalog-entry.reads.ts';
import { Template } from './template.entity.ts';
import { approvedVersionsOf, templatesByIds, templatesPage } from './template.reads.ts';

export const templateById = loaderById(templatesByIds);
export const catalogEntryById = loaderById(catalogEntriesByIds);
const approvedById = loaderById(approvedVersionsOf);

export const TemplateRef: ObjectRef<SchemaTypes, Template> = builder.node(Template, {
  name: 'Template',
  description:
    'A message template of a workspace. Its versions hold the content, in up to three channels.',
  authScopes: { member: true },
  id: { resolve: ({ id }) => id },
  loadOne: (id, graph) => templateById(graph, id),
  fields: t => ({
    name: t.exposeString('name', { nullable: false, description: 'The display name.' }),
    description: t.exposeString('description', {
      nullable: false,
      description: 'The purpose of the template, for other members.',
    }),
    catalogEntryId: t.id({
      description: 'The catalog entry that the template was created from; null if none.',
      resolve: ({ catalogEntryId }) =>
        catalogEntryId == null ? null : encodeNodeId('CatalogEntry', catalogEntryId),
    }),
    version: t.exposeInt('version', {
      nullable: false,
      description:
        'A counter that increases with each change of `name` or `description`. An update must name it.',
    }),
    archivedAt: t.expose('archivedAt', {
      type: 'DateTime',
      description: 'When the template was archived; null if it was not.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the template was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the template was last changed.',
    }),
  }),
});

/** Approved, Active and Superseded versions, the most recently approved first. */
export async function approvedVersions(graph: GraphContext, templateId: string) {
  return (await approvedById(graph, templateId))?.versions ?? [];
}

const TemplateConnection = connectionType('Template', TemplateRef);

builder.queryField('templates', t =>
  t.field({
    type: TemplateConnection,
    nullable: false,
    description: 'The templates of the viewer’s workspace, newest first.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      search: t.arg.string({ description: 'Filters by text in the name.' }),
      isArchived: t.arg.boolean({
        description: 'Whether to return archived templates instead of the others.',
      }),
    },
    complexity: pageCost,
    resolve: async (_root, { first, after, ...filter }, { context }) => {
      const page = { first, after };
      return connectionOfPage(await templatesPage(context, page, filter), page);
    },
  }),
);

builder.queryField('template', t =>
  t.field({
    type: TemplateRef,
    description: 'A template of the viewer’s workspace; null if it does not exist.',
    authScopes: { member: true },
    args: { id: t.arg.globalID({ required: true, description: 'The ID of the template.' }) },
    resolve: (_root, { id }, graph) =>
      id.typename === 'Template' ? templateById(graph, id.id) : null,
  }),
);
