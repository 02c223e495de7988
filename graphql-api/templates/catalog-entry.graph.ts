import { builder } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { reject } from '../platform/rejected.ts';
import { catalogEntryCreate } from './catalog-entry.create.ts';
import type { CatalogEntry, CatalogVersion } from './catalog-entry.entity.ts';
import { catalogEntriesPage, catalogEntryWithSource } from './catalog-entry.reads.ts';
import {
  contentInput,
  TemplateButtonRef,
  TemplateCategoryEnum,
  TemplateChannelEnum,
  TemplateHeaderRef,
} from './content.graph.ts';
import { catalogEntryCreateContract } from './template.contract.ts';
import { catalogEntryById } from './template.graph.ts';

const CatalogVersionRef = builder.objectRef<CatalogVersion>('CatalogVersion').implement({
  description: 'What a catalog entry says in a channel and a language.',
  authScopes: { member: true },
  fields: t => ({
    channel: t.field({
      type: TemplateChannelEnum,
      nullable: false,
      description: 'Where it is sent.',
      resolve: ({ channel }) => channel,
    }),
    language: t.exposeString('language', { nullable: false, description: 'Such as en or pt_BR.' }),
    category: t.field({
      type: TemplateCategoryEnum,
      description: 'What it is for.',
      resolve: ({ category }) => category as 'marketing' | null,
    }),
    body: t.exposeString('body', { nullable: false, description: 'The text.' }),
    header: t.field({
      type: TemplateHeaderRef,
      description: 'What stands above the text.',
      resolve: ({ header }) => header,
    }),
    footer: t.exposeString('footer', { description: 'What stands below the text.' }),
    buttons: t.field({
      type: [TemplateButtonRef],
      nullable: false,
      description: 'The buttons.',
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ buttons }) => [...buttons],
    }),
  }),
});

/** No node: it is nobody's, so a tenant's id tells nothing of it. */
export const CatalogEntryRef = builder.objectRef<CatalogEntry>('CatalogEntry').implement({
  description: 'A ready-made template of the platform, the same for every tenant.',
  authScopes: { member: true },
  fields: t => ({
    id: t.id({
      nullable: false,
      description: 'Its global id.',
      resolve: ({ id }) => encodeNodeId('CatalogEntry', id),
    }),
    name: t.exposeString('name', { nullable: false, description: 'What it is called.' }),
    description: t.exposeString('description', { nullable: false, description: 'What it is for.' }),
    versions: t.field({
      type: [CatalogVersionRef],
      nullable: false,
      description: 'What it says, by channel and language.',
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ versions }) => [...versions],
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was made.',
    }),
  }),
});

const CatalogEntryConnection = connectionType('CatalogEntry', CatalogEntryRef);

builder.queryField('catalogEntries', t =>
  t.field({
    type: CatalogEntryConnection,
    nullable: false,
    description: 'Ready-made templates of the platform.',
    authScopes: { member: true },
    args: pageArgs(t.arg),
    complexity: pageCost,
    resolve: async (_root, args, { context }) =>
      connectionOfPage(await catalogEntriesPage(context, args), args),
  }),
);

builder.queryField('catalogEntrySource', t =>
  t.field({
    type: 'JSON',
    nullable: false,
    description: 'The full source data of a catalog entry, for platform admins.',
    authScopes: { platformAdmin: true },
    args: { id: t.arg.globalID({ required: true, description: 'The entry.' }) },
    complexity: 1,
    resolve: async (_root, { id }, { context }) => {
      if (id.typename !== 'CatalogEntry') return reject('INVALID_ID', { field: ['id'] });
      return (await catalogEntryWithSource(context, id.id)).source;
    },
  }),
);

const CatalogVersionInput = builder.inputType('CatalogVersionInput', {
  description: 'What a catalog entry says in a channel and a language.',
  fields: t => ({
    channel: t.field({
      type: TemplateChannelEnum,
      required: true,
      description: 'Where it is sent.',
    }),
    language: t.string({ required: true, description: 'Such as en or pt_BR.' }),
    ...contentInput(t),
  }),
});

mutation({
  name: 'catalogEntryCreate',
  description: 'Adds a ready-made template for every tenant, for platform admins.',
  access: 'platformAdmin',
  input: t => ({
    name: t.string({ required: true, description: 'What it is called.' }),
    description: t.string({ description: 'What it is for.' }),
    versions: t.field({
      type: [CatalogVersionInput],
      required: true,
      description: 'What it says, by channel and language.',
    }),
    source: t.field({
      type: 'JSON',
      required: true,
      description: 'Where it came from, as it was there: an object.',
    }),
  }),
  contract: catalogEntryCreateContract,
  codes: ['TOO_MANY_TEMPLATES'],
  action: catalogEntryCreate,
  payload: t => ({
    catalogEntry: t.field({
      type: CatalogEntryRef,
      description: 'The new entry.',
      resolve: ({ result }, _args, graph) => result && catalogEntryById(graph, result.id),
    }),
  }),
});
