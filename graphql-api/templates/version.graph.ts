import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { uppercaseEnum } from '../platform/graph/described-enum.ts';
import { embeddedLists } from '../platform/graph/embedded-list.ts';
import { expose, linked, memberNode, nodeQuery } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import {
  componentFields,
  TemplateCategoryEnum,
  TemplateChannelEnum,
  TemplateHeaderRef,
  TemplateVariableRef,
} from './content.graph.ts';
import { approvedVersions, TemplateRef, templateById } from './template.graph.ts';
import { templateVersionsByIds, templateVersionsPage } from './template.reads.ts';
import type { TemplateState } from './transitions.ts';
import type { TemplateVersion } from './version.entity.ts';

export const templateVersionById = loaderById(templateVersionsByIds);

export const TemplateVersionStateEnum = uppercaseEnum<TemplateState>(
  'TemplateVersionState',
  'The approval state of a version.',
  {
    Draft: 'The version can still be edited. It has been neither submitted nor sent.',
    Submitted: 'The version was submitted to the channel’s approver.',
    Approved: 'The version is approved and can be sent, but it is not ACTIVE.',
    Active: 'New enrolments receive this version.',
    Superseded:
      'The version was previously ACTIVE. It is still used for enrolments that are pinned to it.',
    Rejected: 'The approver rejected the version. It is never sent.',
    Archived: 'The version was discarded, or it was archived with its template.',
  },
);

export const TemplateVersionRef: ObjectRef<SchemaTypes, TemplateVersion> = memberNode(
  'TemplateVersion',
  templateVersionById,
  {
    description:
      'The content of a template for one channel and language. It can be changed only in the DRAFT state.',
    fields: t => ({
      template: linked(
        t,
        'templateId',
        TemplateRef,
        templateById,
        'The template that the version belongs to.',
      ),
      ...expose(t, TemplateChannelEnum, { channel: 'The channel that the message is sent on.' }),
      ...expose(t, TemplateVersionStateEnum, { state: 'The approval state.' }),
      ...expose(t, 'String!', {
        language: 'The language code, for example `en` or `pt_BR`.',
        note: 'A note for other members about what changed.',
      }),
      ...expose(t, 'Int!', {
        number:
          'The version number. Versions are numbered separately for each channel and language.',
        revision:
          'A counter that increases with each edit of the draft. An edit must include its current value.',
      }),
      ...expose(t, 'Boolean!', {
        forceRollout: 'Whether enrolments in flight are moved to this version once it is approved.',
      }),
    }),
  },
);

builder.objectFields(TemplateVersionRef, t => ({
  ...componentFields(t),
  category: t.field({
    type: TemplateCategoryEnum,
    description:
      'The category of the message. Each channel has its own categories. Null if no category is set.',
    resolve: ({ category }) => category as 'marketing' | null | undefined,
  }),
  ...expose(t, 'String!', {
    body: 'The body, with {{name}} placeholders: HTML for an email, text for other channels.',
  }),
  header: t.expose('header', {
    type: TemplateHeaderRef,
    description:
      'The header above the body; null if there is none. In an email, this is the subject; in an SMS, the sender ID.',
  }),
  preheader: t.string({
    description:
      'The preview text of an email, shown after the subject in the inbox; null if there is none.',
    resolve: ({ extras }) => extras.preheader,
  }),
  plainText: t.string({
    description: 'The plain-text alternative to an email’s HTML body; null if there is none.',
    resolve: ({ extras }) => extras.plainText,
  }),
  dltEntityId: t.string({
    description: 'The registered entity ID of the sender. For SMS in India only; null otherwise.',
    resolve: ({ extras }) => extras.dltEntityId,
  }),
  dltTemplateId: t.string({
    description:
      'The ID under which the text is registered as a template. For SMS in India only; null otherwise.',
    resolve: ({ extras }) => extras.dltTemplateId,
  }),
  ...embeddedLists(t, TemplateVariableRef, {
    variables: 'The variables that the placeholders refer to.',
  }),
}));

builder.objectFields(TemplateRef, t => ({
  approvedVersions: t.field({
    type: [TemplateVersionRef],
    nullable: false,
    description: 'The APPROVED, ACTIVE and SUPERSEDED versions, most recently approved first.',
    args: { channel: t.arg({ type: TemplateChannelEnum, description: 'Filters by channel.' }) },
    resolve: async ({ id }, { channel }, graph) => {
      const all = await approvedVersions(graph, id);
      return all.filter(version => channel == null || version.channel === channel);
    },
  }),
  activeVersions: t.field({
    type: [TemplateVersionRef],
    nullable: false,
    description: 'The ACTIVE version for each channel and language.',
    args: { channel: t.arg({ type: TemplateChannelEnum, description: 'Filters by channel.' }) },
    resolve: async ({ id }, { channel }, graph) => {
      const all = await approvedVersions(graph, id);
      return all.filter(
        version => version.state === 'Active' && (channel == null || version.channel === channel),
      );
    },
  }),
}));

pageQuery('templateVersions', {
  type: connectionType('TemplateVersion', TemplateVersionRef),
  description: 'The template versions in the viewer’s workspace, newest first.',
  args: arg => ({
    templateId: arg.globalID({ description: 'Filters by template.' }),
    channel: arg({ type: TemplateChannelEnum, description: 'Filters by channel.' }),
    language: arg.string({ description: 'Filters by language.' }),
    state: arg({ type: TemplateVersionStateEnum, description: 'Filters by state.' }),
  }),
  page: (context, page, { templateId, ...filter }) =>
    templateVersionsPage(context, page, { ...filter, templateId: templateId?.id }),
});

nodeQuery('templateVersion', TemplateVersionRef, templateVersionById, {
  description: 'A template version in the viewer’s workspace; null if it does not exist.',
  id: 'The ID of the version.',
});
