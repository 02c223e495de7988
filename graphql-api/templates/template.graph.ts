import type { ObjectRef } from '@pothos/core';
import type { GraphContext, SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { expose, memberNode, nodeQuery } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import type { Template } from './template.entity.ts';
import { approvedVersionsOf, templatesByIds, templatesPage } from './template.reads.ts';

export const templateById = loaderById(templatesByIds);
const approvedById = loaderById(approvedVersionsOf);

export const TemplateRef: ObjectRef<SchemaTypes, Template> = memberNode('Template', templateById, {
  description:
    'A message template in a workspace. Its versions hold the content for up to three channels.',
  fields: t => ({
    ...expose(t, 'String!', {
      name: 'The display name.',
      description: 'A note for other members about the purpose of the template.',
    }),
    catalogEntryId: t.id({
      description:
        'The ID of the catalog entry that the template was created from; null if there is none.',
      resolve: ({ catalogEntryId }) =>
        catalogEntryId == null ? null : encodeNodeId('CatalogEntry', catalogEntryId),
    }),
    ...expose(t, 'Int!', {
      version:
        'A counter that increases with each change to `name` or `description`. An update must include its current value.',
    }),
    ...expose(t, 'DateTime', {
      archivedAt: 'When the template was archived; null if it has not been archived.',
    }),
    ...expose(t, 'DateTime!', {
      createdAt: 'When the template was created.',
      updatedAt: 'When the template was last changed.',
    }),
  }),
});

/** Approved, Active and Superseded versions, most recently approved first. */
export async function approvedVersions(graph: GraphContext, templateId: string) {
  return (await approvedById(graph, templateId))?.versions ?? [];
}

pageQuery('templates', {
  type: connectionType('Template', TemplateRef),
  description: 'The templates in the viewer’s workspace, newest first.',
  args: arg => ({
    search: arg.string({ description: 'Filters by text in the name.' }),
    isArchived: arg.boolean({
      description:
        'Whether to return only archived templates. By default, archived templates are omitted.',
    }),
  }),
  page: templatesPage,
});

nodeQuery('template', TemplateRef, templateById, {
  description: 'A template in the viewer’s workspace; null if it does not exist.',
  id: 'The ID of the template.',
});
