import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

export const TemplateSchema = defineEntity({
  name: 'Template',
  tableName: 'templates',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    name: p.text(),
    description: p.text().default(''),
    catalogEntryId: p.uuid().nullable(),
    archivedAt: instant().nullable(),
    createdBy: p.text(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    version: p.integer().default(1),
  },
});

/** A message template of a workspace. Its versions hold the content for up to three channels. */
export class Template extends TemplateSchema.class {}
TemplateSchema.setClass(Template);
