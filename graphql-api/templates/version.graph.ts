import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import {
  TemplateButtonRef,
  TemplateCategoryEnum,
  TemplateChannelEnum,
  TemplateHeaderRef,
  TemplateVariableRef,
} from './content.graph.ts';
import { approvedVersions, TemplateRef, templateById } from './template.graph.ts';
import { templateVersionsByIds, templateVersionsPage } from './template.reads.ts';
import type { TemplateState } from './transitions.ts';
import { TemplateVersion } from './version.entity.ts';

export const templateVersionById = loaderById(templateVersionsByIds);

export const TemplateVersionStateEnum = builder.enumType('TemplateVersionState', {
  description: 'The approval state of a version.',
  values: {
    DRAFT: { value: 'Draft', description: 'Editable; neither submitted nor sent.' },
    SUBMITTED: { value: 'Submitted', description: 'Submitted to the channel’s approver.' },
    APPROVED: { value: 'Approved', description: 'Approved and sendable, but not the default.' },
    ACTIVE: { value: 'Active', description: 'The default for new enrolments.' },
    SUPERSEDED: {
      value: 'Superseded',
      description: 'Previously ACTIVE; still sent to enrolments that are pinned to it.',
    },
    REJECTED: { value: 'Rejected', description: 'Rejected by the approver; never sent.' },
    ARCHIVED: { value: 'Archived', description: 'Discarded, or its template was archived.' },
  } as const satisfies Record<string, { value: TemplateState; description: string }>,
});

export const TemplateVersionRef: ObjectRef<SchemaTypes, TemplateVersion> = builder.node(
  TemplateVersion,
  {
    name: 'TemplateVersion',
    description:
      'The content of a template for one channel and language. Immutable once it leaves DRAFT.',
    authScopes: { member: true },
    id: { resolve: ({ id }) => id },
    loadOne: (id, graph) => templateVersionById(graph, id),
    fields: t => ({
      template: t.field({
        type: TemplateRef,
        description: 'The template that the version belongs to.',
        resolve: ({ templateId }, _args, graph) => templateById(graph, templateId),
      }),
      channel: t.field({
        type: TemplateChannelEnum,
        nullable: false,
        description: 'The channel that the message is sent on.',
        resolve: ({ channel }) => channel,
      }),
      language: t.exposeString('language', {
        nullable: false,
        description: 'The language code, for example `en` or `pt_BR`.',
      }),
      number: t.exposeInt('number', {
        nullable: false,
        description: 'The version number, which increases within the channel and language.',
      }),
      state: t.field({
        type: TemplateVersionStateEnum,
        nullable: false,
        description: 'The approval state.',
        resolve: ({ state }) => state,
      }),
      forceRollout: t.exposeBoolean('forceRollout', {
        nullable: false,
        description: 'Whether enrolments in flight are moved to this version once it is approved.',
      }),
      note: t.exposeString('note', {
        nullable: false,
        description: 'A note for other members about what changed.',
      }),
      revision: t.exposeInt('revision', {
        nullable: false,
        description: 'A counter that increases with each edit of the draft. An edit must name it.',
      }),
    }),
  },
);

builder.objectFields(TemplateVersionRef, t => ({
  category: t.field({
    type: TemplateCategoryEnum,
    description: 'The purpose of the message, as the channel classifies it; null if not set.',
    resolve: ({ category }) => category as 'marketing' | null | undefined,
  }),
  body: t.exposeString('body', {
    nullable: false,
    description: 'The body text, with {{name}} placeholders. HTML for an email.',
  }),
  header: t.field({
    type: TemplateHeaderRef,
    description:
      'The header above the body; null if there is none. For an email its subject, for an SMS its sender ID.',
    resolve: ({ header }) => header,
  }),
  footer: t.exposeString('footer', {
    description: 'The footer below the body; null if there is none.',
  }),
  buttons: t.field({
    type: [TemplateButtonRef],
    nullable: false,
    description: 'The buttons below the body, in display order.',
    // The buttons are stored with the version, and there are few.
    complexity: { field: 1, multiplier: 1 },
    resolve: ({ buttons }) => [...buttons],
  }),
  preheader: t.string({
    description:
      'The preview line of an email, shown after the subject in the inbox; null if there is none.',
    resolve: ({ extras }) => extras.preheader ?? null,
  }),
  plainText: t.string({
    description: 'The plain-text alternative of an email; null if there is none.',
    resolve: ({ extras }) => extras.plainText ?? null,
  }),
  dltEntityId: t.string({
    description: 'The registered entity ID of the sender. SMS in India only; null otherwise.',
    resolve: ({ extras }) => extras.dltEntityId ?? null,
  }),
  dltTemplateId: t.string({
    description: 'The registered template ID of the text. SMS in India only; null otherwise.',
    resolve: ({ extras }) => extras.dltTemplateId ?? null,
  }),
  variables: t.field({
    type: [TemplateVariableRef],
    nullable: false,
    description: 'The variables that the placeholders stand for.',
    complexity: { field: 1, multiplier: 1 },
    resolve: ({ variables }) => [...variables],
  }),
}));

builder.objectFields(TemplateRef, t => ({
  approvedVersions: t.field({
    type: [TemplateVersionRef],
    nullable: false,
    description: 'The APPROVED, ACTIVE and SUPERSEDED versions, the most recently approved first.',
    args: { channel: t.arg({ type: TemplateChannelEnum, description: 'Filters by channel.' }) },
    resolve: async ({ id }, { channel }, graph) => {
      const all = await approvedVersions(graph, id);
      return all.filter(version => channel == null || version.channel === channel);
    },
  }),
  activeVersions: t.field({
    type: [TemplateVersionRef],
    nullable: false,
    description: 'The ACTIVE version of each channel and language.',
    args: { channel: t.arg({ type: TemplateChannelEnum, description: 'Filters by channel.' }) },
    resolve: async ({ id }, { channel }, graph) => {
      const all = await approvedVersions(graph, id);
      return all.filter(
        version => version.state === 'Active' && (channel == null || version.channel === channel),
      );
    },
  }),
}));

const TemplateVersionConnection = connectionType('TemplateVersion', TemplateVersionRef);

builder.queryField('templateVersions', t =>
  t.field({
    type: TemplateVersionConnection,
    nullable: false,
    description: 'The template versions of the viewer’s workspace, newest first.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      templateId: t.arg.globalID({ description: 'Filters by template.' }),
      channel: t.arg({ type: TemplateChannelEnum, description: 'Filters by channel.' }),
      language: t.arg.string({ description: 'Filters by language.' }),
      state: t.arg({ type: TemplateVersionStateEnum, description: 'Filters by state.' }),
    },
    complexity: pageCost,
    resolve: async (_root, { first, after, templateId, ...filter }, { context }) => {
      const page = { first, after };
      const of = templateId ? { templateId: templateId.id } : {};
      return connectionOfPage(
        await templateVersionsPage(context, page, { ...filter, ...of }),
        page,
      );
    },
  }),
);

builder.queryField('templateVersion', t =>
  t.field({
    type: TemplateVersionRef,
    description: 'A template version of the viewer’s workspace; null if it does not exist.',
    authScopes: { member: true },
    args: { id: t.arg.globalID({ required: true, description: 'The ID of the version.' }) },
    resolve: (_root, { id }, graph) =>
      id.typename === 'TemplateVersion' ? templateVersionById(graph, id.id) : null,
  }),
);
