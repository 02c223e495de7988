import type { GraphContext } from '../platform/graph/builder.ts';
import { mutation, type PayloadFields } from '../platform/graph/mutation.ts';
import { TemplateChannelEnum, versionInput } from './content.graph.ts';
import { templateArchive } from './template.archive.ts';
import {
  templateCreateContract,
  templateFromCatalogEntryContract,
  templateIdContract,
  templateUpdateContract,
  templateVersionCreateContract,
  templateVersionEditContract,
  templateVersionRestoreContract,
  templateVersionSubmitContract,
} from './template.contract.ts';
import { templateCreate } from './template.create.ts';
import { templateFromCatalogEntry } from './template.from-catalog.ts';
import { TemplateRef, templateById } from './template.graph.ts';
import { templateUpdate } from './template.update.ts';
import { templateVersionActivate } from './version.activate.ts';
import { templateVersionCancel } from './version.cancel-submission.ts';
import { templateVersionCreate } from './version.create.ts';
import { templateVersionDiscard } from './version.discard.ts';
import { templateVersionEdit } from './version.edit.ts';
import type { TemplateVersion } from './version.entity.ts';
import { TemplateVersionRef, templateVersionById } from './version.graph.ts';
import { templateVersionRestore } from './version.restore.ts';
import { templateVersionSubmit } from './version.submit.ts';

type Result = { readonly id: string };

const template = (description: string) => (t: PayloadFields<Result>) => ({
  template: t.field({
    type: TemplateRef,
    description,
    resolve: ({ result }, _args, graph) => result && templateById(graph, result.id),
  }),
});

const version = (description: string) => (t: PayloadFields<Result>) => ({
  templateVersion: t.field({
    type: TemplateVersionRef,
    description,
    resolve: ({ result }, _args, graph) => result && templateVersionById(graph, result.id),
  }),
});

/** With what is there now, where somebody else changed it first. */
const versionOrCurrent = (description: string) => (t: PayloadFields<Result>) => ({
  ...version(description)(t),
  current: t.field({
    type: TemplateVersionRef,
    description: 'After TEMPLATE_CHANGED: the version as it is now.',
    resolve: ({ userErrors }, _args, graph) => currentVersion(graph, userErrors[0]?.facts),
  }),
});

mutation({
  name: 'templateCreate',
  description: 'Makes a template without versions.',
  access: 'member',
  input: t => ({
    name: t.string({ required: true, description: 'What people call it.' }),
    description: t.string({ description: 'What it is for, for colleagues.' }),
  }),
  contract: templateCreateContract,
  codes: ['TOO_MANY_TEMPLATES'],
  action: templateCreate,
  payload: template('The new template.'),
});

mutation({
  name: 'templateFromCatalogEntry',
  description: 'Makes a template with a draft for each version of a catalog entry.',
  access: 'member',
  input: t => ({
    catalogEntryId: t.globalID({ required: true, description: 'The entry.' }),
    name: t.string({ description: 'What people call it; as the entry is called unless said.' }),
  }),
  contract: templateFromCatalogEntryContract,
  codes: ['NOT_FOUND', 'TOO_MANY_TEMPLATES'],
  action: templateFromCatalogEntry,
  payload: template('The new template.'),
});

mutation({
  name: 'templateUpdate',
  description: 'Changes what people call a template; no version is made.',
  access: 'member',
  target: TemplateRef,
  input: t => ({
    version: t.int({ required: true, description: 'The version of the template that is changed.' }),
    name: t.string({ description: 'What people call it.' }),
    description: t.string({ description: 'What it is for, for colleagues.' }),
  }),
  contract: templateUpdateContract,
  codes: ['NOT_FOUND', 'TEMPLATE_ARCHIVED', 'TEMPLATE_CHANGED'],
  action: templateUpdate,
  payload: template('The template as it is now.'),
});

mutation({
  name: 'templateArchive',
  description:
    'Deletes a template: it and its versions are archived. Refused while people in flight are pinned to it.',
  access: 'owner',
  target: TemplateRef,
  contract: templateIdContract,
  codes: ['NOT_FOUND', 'TEMPLATE_PINNED'],
  action: templateArchive,
  payload: template('The archived template.'),
});

mutation({
  name: 'templateVersionCreate',
  description:
    'Makes a draft. What is left out comes from the ACTIVE version of the channel and language, else from the latest.',
  access: 'member',
  target: TemplateRef,
  input: t => ({
    channel: t.field({
      type: TemplateChannelEnum,
      description:
        'Unless said, the first of these that the template has, of the first version MESSAGING_APP.',
    }),
    language: t.string({
      description: 'That of the latest version of the channel unless said; of the first one en.',
    }),
    ...versionInput(t),
  }),
  contract: templateVersionCreateContract,
  codes: ['NOT_FOUND', 'TEMPLATE_ARCHIVED', 'TOO_MANY_TEMPLATE_VERSIONS'],
  action: templateVersionCreate,
  payload: version('The new draft.'),
});

mutation({
  name: 'templateVersionEdit',
  description: 'Changes a draft in place; what is left out stays.',
  access: 'member',
  target: TemplateVersionRef,
  input: t => ({
    expectedRevision: t.int({
      required: true,
      description: 'The revision that is changed; another edit in between is refused.',
    }),
    ...versionInput(t),
  }),
  contract: templateVersionEditContract,
  codes: ['NOT_FOUND', 'TEMPLATE_VERSION_STATE', 'TEMPLATE_CHANGED', 'TEMPLATE_PINNED'],
  action: templateVersionEdit,
  payload: versionOrCurrent('The draft as it is now.'),
});

mutation({
  name: 'templateVersionDiscard',
  description: 'Archives a draft or a rejected version; it stays in the history.',
  access: 'member',
  target: TemplateVersionRef,
  contract: templateIdContract,
  codes: ['NOT_FOUND', 'TEMPLATE_VERSION_STATE', 'TEMPLATE_PINNED'],
  action: templateVersionDiscard,
  payload: version('The archived version.'),
});

mutation({
  name: 'templateVersionRestore',
  description: 'Makes a draft with the content of a version, in whatever state that one is.',
  access: 'member',
  target: TemplateVersionRef,
  input: t => ({ note: t.string({ description: 'Why, for colleagues.' }) }),
  contract: templateVersionRestoreContract,
  codes: ['NOT_FOUND', 'TEMPLATE_ARCHIVED', 'TOO_MANY_TEMPLATE_VERSIONS'],
  action: templateVersionRestore,
  payload: version('The new draft.'),
});

mutation({
  name: 'templateVersionSubmit',
  description:
    'Hands a draft to its channel’s approver. Refused for what the channel does not take; the rest warns.',
  access: 'member',
  target: TemplateVersionRef,
  input: t => ({
    expectedRevision: t.int({
      description: 'The revision that was looked at; another one since is refused.',
    }),
  }),
  contract: templateVersionSubmitContract,
  codes: ['NOT_FOUND', 'TEMPLATE_VERSION_STATE', 'TEMPLATE_CHANGED', 'TEMPLATE_NOT_SUBMITTABLE'],
  action: templateVersionSubmit,
  payload: versionOrCurrent('The submitted version.'),
});

mutation({
  name: 'templateVersionCancel',
  description: 'Takes a submission back: a draft again. A verdict that still comes is ignored.',
  access: 'member',
  target: TemplateVersionRef,
  contract: templateIdContract,
  codes: ['NOT_FOUND', 'TEMPLATE_VERSION_STATE'],
  action: templateVersionCancel,
  payload: version('The draft.'),
});

mutation({
  name: 'templateVersionActivate',
  description:
    'Gives new entries this version. An older one than the last approved is pinned: later approvals leave it.',
  access: 'owner',
  target: TemplateVersionRef,
  contract: templateIdContract,
  codes: ['NOT_FOUND', 'TEMPLATE_VERSION_STATE'],
  action: templateVersionActivate,
  payload: version('The ACTIVE version.'),
});

/** What somebody else made of it, where they were faster. */
async function currentVersion(
  graph: GraphContext,
  facts: Readonly<Record<string, unknown>> | undefined,
): Promise<TemplateVersion | null> {
  const id = facts?.version_id;
  return typeof id === 'string' ? templateVersionById(graph, id) : null;
}
