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
  description: 'How far the approval of a version is.',
  values: {
    DRAFT: { value: 'Draft', description: 'Edited; neither submitted nor sent.' },
    SUBMITTED: { value: 'Submitted', description: 'Its channel’s approver has it.' },
    APPROVED: { value: 'Approved', description: 'May be sent, and is not the default.' },
    ACTIVE: { value: 'Active', description: 'What people get who enter a journey now.' },
    SUPERSEDED: {
      value: 'Superseded',
      description: 'Was Active; sent to those who are pinned to it.',
    },
    REJECTED: { value: 'Rejected', description: 'Refused by the approver; never sent.' },
    ARCHIVED: { value: 'Archived', description: 'Discarded, or its template was deleted.' },
  } as const satisfies Record<string, { value: TemplateState; description: string }>,
});

export const TemplateVersionRef: ObjectRef<SchemaTypes, TemplateVersion> = builder.node(
  TemplateVersion,
  {
    name: 'TemplateVersion',
    description: 'What a template says in a channel and a language. Out of DRAFT it never changes.',
    authScopes: { member: true },
    id: { resolve: ({ id }) => id },
    loadOne: (id, graph) => templateVersionById(graph, id),
    fields: t => ({
      template: t.field({
        type: TemplateRef,
        description: 'Whose version it is.',
        resolve: ({ templateId }, _args, graph) => templateById(graph, templateId),
      }),
      channel: t.field({
        type: TemplateChannelEnum,
        nullable: false,
        description: 'Where it is sent.',
        resolve: ({ channel }) => channel,
      }),
      language: t.exposeString('language', {
        nullable: false,
        description: 'Such as en or pt_BR.',
      }),
      number: t.exposeInt('number', {
        nullable: false,
        description: 'Goes up with each version of the channel and language.',
      }),
      state: t.field({
        type: TemplateVersionStateEnum,
        nullable: false,
        description: 'How far its approval is.',
        resolve: ({ state }) => state,
      }),
      forceRollout: t.exposeBoolean('forceRollout', {
        nullable: false,
        description: 'Whether people in flight are moved to it once it is approved.',
      }),
      note: t.exposeString('note', {
        nullable: false,
        description: 'What changed, for colleagues.',
      }),
      revision: t.exposeInt('revision', {
        nullable: false,
        description: 'Goes up with each edit of the draft; an edit names the one that it changes.',
      }),
    }),
  },
);

builder.objectFields(TemplateVersionRef, t => ({
  category: t.field({
    type: TemplateCategoryEnum,
    description: 'What it is for.',
    resolve: ({ category }) => category as 'marketing' | null | undefined,
  }),
  body: t.exposeString('body', { nullable: false, description: 'The text; of an email its HTML.' }),
  header: t.field({
    type: TemplateHeaderRef,
    description: 'What stands above the text; of an email its subject, of an SMS its sender.',
    resolve: ({ header }) => header,
  }),
  footer: t.exposeString('footer', { description: 'What stands below the text.' }),
  buttons: t.field({
    type: [TemplateButtonRef],
    nullable: false,
    description: 'The buttons.',
    // They come with the version, and are few.
    complexity: { field: 1, multiplier: 1 },
    resolve: ({ buttons }) => [...buttons],
  }),
  preheader: t.string({
    description: 'Of an email: what lists show after the subject.',
    resolve: ({ extras }) => extras.preheader ?? null,
  }),
  plainText: t.string({
    description: 'Of an email: for those who read no HTML.',
    resolve: ({ extras }) => extras.plainText ?? null,
  }),
  dltEntityId: t.string({
    description: 'Of an SMS in India: who sends, as registered.',
    resolve: ({ extras }) => extras.dltEntityId ?? null,
  }),
  dltTemplateId: t.string({
    description: 'Of an SMS in India: the text, as registered.',
    resolve: ({ extras }) => extras.dltTemplateId ?? null,
  }),
  variables: t.field({
    type: [TemplateVariableRef],
    nullable: false,
    description: 'What its placeholders ask for.',
    complexity: { field: 1, multiplier: 1 },
    resolve: ({ variables }) => [...variables],
  }),
}));

builder.objectFields(TemplateRef, t => ({
  approvedVersions: t.field({
    type: [TemplateVersionRef],
    nullable: false,
    description: 'APPROVED, ACTIVE and SUPERSEDED ones, the last approved first.',
    args: { channel: t.arg({ type: TemplateChannelEnum, description: 'Only of this one.' }) },
    resolve: async ({ id }, { channel }, graph) => {
      const all = await approvedVersions(graph, id);
      return all.filter(version => channel == null || version.channel === channel);
    },
  }),
  activeVersions: t.field({
    type: [TemplateVersionRef],
    nullable: false,
    description: 'The ACTIVE one of each channel and language.',
    args: { channel: t.arg({ type: TemplateChannelEnum, description: 'Only of this one.' }) },
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
    description: 'Versions of the viewer’s workspace, of one template or all.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      templateId: t.arg.globalID({ description: 'Only of this template.' }),
      channel: t.arg({ type: TemplateChannelEnum, description: 'Only of this channel.' }),
      language: t.arg.string({ description: 'Only of this language.' }),
      state: t.arg({ type: TemplateVersionStateEnum, description: 'Only those.' }),
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
    description: 'A version of the viewer’s workspace; null where there is none.',
    authScopes: { member: true },
    args: { id: t.arg.globalID({ required: true, description: 'Its global id.' }) },
    resolve: (_root, { id }, graph) =>
      id.typename === 'TemplateVersion' ? templateVersionById(graph, id.id) : null,
  }),
);
