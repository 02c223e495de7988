import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../platform/database/columns.ts';
import type { TemplateChannel, TemplateContent } from './content.ts';

export type CatalogVersion = TemplateContent & {
  readonly channel: TemplateChannel;
  readonly language: string;
  readonly samples?: Readonly<Record<string, string>>;
};

export const CatalogEntrySchema = defineEntity({
  name: 'CatalogEntry',
  tableName: 'catalog_entries',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    description: p.text().default(''),
    versions: p.json<readonly CatalogVersion[]>(),
    // Hidden from tenants: the application role may not even select this column.
    source: p.json<Readonly<Record<string, unknown>>>().lazy(),
    isPublished: p.boolean().default(true),
    createdBy: p.text(),
    createdAt: createdAt(),
  },
});

/** A ready-made template of the platform. */
export class CatalogEntry extends CatalogEntrySchema.class {}
CatalogEntrySchema.setClass(CatalogEntry);
