import { builder } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { embeddedLists } from '../platform/graph/embedded-list.ts';
import { expose, globalId, memberObject } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { changed, mutation } from '../platform/graph/mutation.ts';
import { reject } from '../platform/rejected.ts';
import { catalogEntryCreate } from './catalog-entry.create.ts';
import type { CatalogEntry, CatalogVersion } from './catalog-entry.entity.ts';
import {
  catalogEntriesByIds,
  catalogEntriesPage,
  catalogEntryWithSource,
} from './catalog-entry.reads.ts';
import {
  componentFields,
  contentInput,
  TemplateCategoryEnum,
  TemplateChannelEnum,
  TemplateHeaderRef,
} from './content.graph.ts';
import { catalogEntryCreateContract } from './template.contract.ts';

const CatalogVersionRef = memberObject<CatalogVersion>('CatalogVersion', {
  description: 'The content of a catalog entry for one channel and language.',
  fields: t => ({
    ...componentFields(t),
    ...expose(t, TemplateChannelEnum, { channel: 'The channel that the message is sent on.' }),
    ...expose(t, 'String!', {
      language: 'The language code, for example `en` or `pt_BR`.',
      body: 'The body, with {{name}} placeholders: HTML for an email, text for other channels.',
    }),
    category: t.field({
      type: TemplateCategoryEnum,
      description:
        'The category of the message. Each channel has its own categories. Null if no category is set.',
      resolve: ({ category }) => category as 'marketing' | null,
    }),
    header: t.expose('header', {
      type: TemplateHeaderRef,
      description: 'The header above the body; null if there is none.',
    }),
  }),
});

/** Not a node: it has no owner, so nothing about a tenant can be read from its ID. */
const CatalogEntryRef = memberObject<CatalogEntry>('CatalogEntry', {
  description: 'A ready-made template that the platform provides to all tenants.',
  fields: t => ({
    id: globalId(t, 'id', 'CatalogEntry', 'The global ID.'),
    ...expose(t, 'String!', {
      name: 'The display name.',
      description: 'The purpose of the template.',
    }),
    ...embeddedLists(t, CatalogVersionRef, {
      versions: 'The content for each channel and language.',
    }),
    ...expose(t, 'DateTime!', { createdAt: 'When the entry was created.' }),
  }),
});

pageQuery('catalogEntries', {
  type: connectionType('CatalogEntry', CatalogEntryRef),
  description: 'The ready-made templates that the platform provides, newest first.',
  page: catalogEntriesPage,
});

builder.queryField('catalogEntrySource', t =>
  t.field({
    type: 'JSON',
    nullable: false,
    description:
      'The unmodified source data that a catalog entry was imported from. Platform admins only.',
    authScopes: { platformAdmin: true },
    args: { id: t.arg.globalID({ required: true, description: 'The ID of the catalog entry.' }) },
    complexity: 1,
    resolve: async (_root, { id }, { context }) => {
      if (id.typename !== 'CatalogEntry') return reject('INVALID_ID', { field: ['id'] });
      return (await catalogEntryWithSource(context, id.id)).source;
    },
  }),
);

const CatalogVersionInput = builder.inputType('CatalogVersionInput', {
  description: 'The content of a catalog entry for one channel and language.',
  fields: t => ({
    channel: t.field({
      type: TemplateChannelEnum,
      required: true,
      description: 'The channel that the message is sent on.',
    }),
    language: t.string({
      required: true,
      description: 'The language code, for example `en` or `pt_BR`.',
    }),
    ...contentInput(t),
  }),
});

const catalogEntryById = loaderById(catalogEntriesByIds);

mutation({
  name: 'catalogEntryCreate',
  description: 'Adds a ready-made template for all tenants. Platform admins only.',
  access: 'platformAdmin',
  input: t => ({
    name: t.string({ required: true, description: 'The display name.' }),
    description: t.string({ description: 'The purpose of the template.' }),
    versions: t.field({
      type: [CatalogVersionInput],
      required: true,
      description: 'The content for each channel and language.',
    }),
    source: t.field({
      type: 'JSON',
      required: true,
      description:
        'The unmodified source data that the entry was imported from. Must be a JSON object.',
    }),
  }),
  contract: catalogEntryCreateContract,
  codes: ['TOO_MANY_TEMPLATES'],
  action: catalogEntryCreate,
  payload: t => ({
    catalogEntry: changed(t, CatalogEntryRef, catalogEntryById, 'The new catalog entry.'),
  }),
});
