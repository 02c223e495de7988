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
  description: 'What a workspace sends to people, in up to three channels; its versions say what.',
  authScopes: { member: true },
  id: { resolve: ({ id }) => id },
  loadOne: (id, graph) => templateById(graph, id),
  fields: t => ({
    name: t.exposeString('name', { nullable: false, description: 'What people call it.' }),
    description: t.exposeString('description', {
      nullable: false,
      description: 'What it is for, for colleagues.',
    }),
    catalogEntryId: t.id({
      description: 'The catalog entry that it was made from; null where it was made from none.',
      resolve: ({ catalogEntryId }) =>
        catalogEntryId == null ? null : encodeNodeId('CatalogEntry', catalogEntryId),
    }),
    version: t.exposeInt('version', {
      nullable: false,
      description: 'Goes up with each change of name or description; an edit names it.',
    }),
    archivedAt: t.expose('archivedAt', {
      type: 'DateTime',
      description: 'When it was deleted; null while it was not.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was made.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was changed last.',
    }),
  }),
});

/** Approved, Active and Superseded, the last approved first. */
export async function approvedVersions(graph: GraphContext, templateId: string) {
  return (await approvedById(graph, templateId))?.versions ?? [];
}

const TemplateConnection = connectionType('Template', TemplateRef);

builder.queryField('templates', t =>
  t.field({
    type: TemplateConnection,
    nullable: false,
    description: 'The templates of the viewer’s workspace.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      search: t.arg.string({ description: 'Only those with this in their name.' }),
      isArchived: t.arg.boolean({ description: 'Those that were deleted, instead of the others.' }),
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
    description: 'A template of the viewer’s workspace; null where there is none.',
    authScopes: { member: true },
    args: { id: t.arg.globalID({ required: true, description: 'Its global id.' }) },
    resolve: (_root, { id }, graph) =>
      id.typename === 'Template' ? templateById(graph, id.id) : null,
  }),
);
