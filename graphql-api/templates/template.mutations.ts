import { changedObject, mutation, type PayloadFields } from '../platform/graph/mutation.ts';
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
import { templateCreate, templateFromCatalogEntry } from './template.create.ts';
import { TemplateRef, templateById } from './template.graph.ts';
import { templateUpdate } from './template.update.ts';
import {
  templateVersionCancel,
  templateVersionDiscard,
  templateVersionRestore,
} from './version.actions.ts';
import { templateVersionActivate } from './version.activate.ts';
import { templateVersionCreate } from './version.create.ts';
import { templateVersionEdit } from './version.edit.ts';
import { TemplateVersionRef, templateVersionById } from './version.graph.ts';
import { templateVersionSubmit } from './version.submit.ts';

type Result = { readonly id: string };

const template = (description: string) =>
  changedObject('template', TemplateRef, templateById, description);

const version = (description: string) =>
  changedObject('templateVersion', TemplateVersionRef, templateVersionById, description);

/** Adds the current version, returned when another member changed it first. */
const versionOrCurrent = (description: string) => (t: PayloadFields<Result>) => ({
  ...version(description)(t),
  current: t.field({
    type: TemplateVersionRef,
    description: 'The version in its current state; null unless the error is TEMPLATE_CHANGED.',
    resolve: ({ userErrors }, _args, graph) => {
      const id = userErrors[0]?.facts?.version_id;
      return typeof id === 'string' ? templateVersionById(graph, id) : null;
    },
  }),
});

mutation({
  name: 'templateCreate',
  description: 'Creates a template without versions.',
  access: 'member',
  input: t => ({
    name: t.string({ required: true, description: 'The display name.' }),
    description: t.string({
      description: 'A note for other members about the purpose of the template.',
    }),
  }),
  contract: templateCreateContract,
  codes: ['TOO_MANY_TEMPLATES'],
  action: templateCreate,
  payload: template('The new template.'),
});

mutation({
  name: 'templateFromCatalogEntry',
  description:
    'Creates a template from a catalog entry, with one draft for each version in the entry.',
  access: 'member',
  input: t => ({
    catalogEntryId: t.globalID({ required: true, description: 'The ID of the catalog entry.' }),
    name: t.string({ description: 'The display name. Defaults to the name of the entry.' }),
  }),
  contract: templateFromCatalogEntryContract,
  codes: ['NOT_FOUND', 'TOO_MANY_TEMPLATES'],
  action: templateFromCatalogEntry,
  payload: template('The new template.'),
});

mutation({
  name: 'templateUpdate',
  description:
    'Updates the name and description of a template. Omitted fields are unchanged. Does not create a version.',
  access: 'member',
  target: TemplateRef,
  input: t => ({
    version: t.int({
      required: true,
      description:
        'The `version` that the update is based on. The update fails if the template has a newer `version`.',
    }),
    name: t.string({ description: 'The display name.' }),
    description: t.string({
      description: 'A note for other members about the purpose of the template.',
    }),
  }),
  contract: templateUpdateContract,
  codes: ['NOT_FOUND', 'TEMPLATE_ARCHIVED', 'TEMPLATE_CHANGED'],
  action: templateUpdate,
  payload: template('The updated template.'),
});

mutation({
  name: 'templateArchive',
  description:
    'Archives a template and its versions. Fails while enrolments in flight are pinned to one of the versions.',
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
    'Creates a draft. Omitted fields are copied from the ACTIVE version for the same channel and language. If none is ACTIVE, they are copied from the latest version.',
  access: 'member',
  target: TemplateRef,
  input: t => ({
    channel: t.field({
      type: TemplateChannelEnum,
      description:
        'The channel. Defaults to the first of MESSAGING_APP, SMS and EMAIL that the template has versions for, or to MESSAGING_APP if the template has no versions.',
    }),
    language: t.string({
      description:
        'The language. Defaults to the language of the channel’s latest version, or to `en` if the channel has no versions.',
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
  description: 'Updates a draft in place. Omitted fields are unchanged.',
  access: 'member',
  target: TemplateVersionRef,
  input: t => ({
    expectedRevision: t.int({
      required: true,
      description:
        'The `revision` that the edit is based on. The edit fails if the draft has a newer `revision`.',
    }),
    ...versionInput(t),
  }),
  contract: templateVersionEditContract,
  codes: ['NOT_FOUND', 'TEMPLATE_VERSION_STATE', 'TEMPLATE_CHANGED', 'TEMPLATE_PINNED'],
  action: templateVersionEdit,
  payload: versionOrCurrent('The updated draft.'),
});

mutation({
  name: 'templateVersionDiscard',
  description: 'Archives a draft or a rejected version. It stays in the history.',
  access: 'member',
  target: TemplateVersionRef,
  contract: templateIdContract,
  codes: ['NOT_FOUND', 'TEMPLATE_VERSION_STATE', 'TEMPLATE_PINNED'],
  action: templateVersionDiscard,
  payload: version('The archived version.'),
});

mutation({
  name: 'templateVersionRestore',
  description: 'Creates a draft with the content of an existing version in any state.',
  access: 'member',
  target: TemplateVersionRef,
  input: t => ({
    note: t.string({ description: 'A note for other members about why the version was restored.' }),
  }),
  contract: templateVersionRestoreContract,
  codes: ['NOT_FOUND', 'TEMPLATE_ARCHIVED', 'TOO_MANY_TEMPLATE_VERSIONS'],
  action: templateVersionRestore,
  payload: version('The new draft.'),
});

mutation({
  name: 'templateVersionSubmit',
  description:
    'Submits a draft to its channel’s approver. Fails if the draft has a finding of severity BLOCK; warnings do not prevent submission.',
  access: 'member',
  target: TemplateVersionRef,
  input: t => ({
    expectedRevision: t.int({
      description:
        'The `revision` of the draft that you reviewed. The submission fails if the draft has a newer `revision`.',
    }),
  }),
  contract: templateVersionSubmitContract,
  codes: ['NOT_FOUND', 'TEMPLATE_VERSION_STATE', 'TEMPLATE_CHANGED', 'TEMPLATE_NOT_SUBMITTABLE'],
  action: templateVersionSubmit,
  payload: versionOrCurrent('The submitted version.'),
});

mutation({
  name: 'templateVersionCancel',
  description:
    'Cancels a submission. The version becomes a draft again, and a later verdict is ignored.',
  access: 'member',
  target: TemplateVersionRef,
  contract: templateIdContract,
  codes: ['NOT_FOUND', 'TEMPLATE_VERSION_STATE'],
  action: templateVersionCancel,
  payload: version('The version, which is now a draft again.'),
});

mutation({
  name: 'templateVersionActivate',
  description:
    'Makes a version ACTIVE for new enrolments. If a later version has already been approved, `isPinnedActive` becomes true, and this version stays ACTIVE when later versions are approved.',
  access: 'owner',
  target: TemplateVersionRef,
  contract: templateIdContract,
  codes: ['NOT_FOUND', 'TEMPLATE_VERSION_STATE'],
  action: templateVersionActivate,
  payload: version('The ACTIVE version.'),
});
