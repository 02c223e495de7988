import type { ObjectRef } from '@pothos/core';
import { CAMPAIGN_TYPES } from '../../schema/campaign/campaign.ts';
import { CampaignTypeRef } from '../campaigns/campaign.graph.ts';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { uppercaseEnum } from '../platform/graph/described-enum.ts';
import { expose, linked, memberObject } from '../platform/graph/fields.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { TemplateChannelEnum } from '../templates/content.graph.ts';
import { TemplateRef, templateById } from '../templates/template.graph.ts';
import type { JourneyNode, SendNode, WidgetNode } from './nodes.ts';

const JourneyNodeKindRef = uppercaseEnum(
  'JourneyNodeKind',
  'The action that a journey node performs.',
  {
    send: 'Sends a message based on a template.',
    widget:
      'Shows an in-app widget and waits until the widget is clicked or dismissed, or until it expires.',
    wait: 'Waits for a fixed period.',
    end: 'Ends the enrolment.',
  },
);

const CampaignTypes = CAMPAIGN_TYPES as readonly string[];

type AnyNode = Pick<JourneyNode, 'id' | 'kind'> &
  Omit<Partial<SendNode> & Partial<WidgetNode>, 'id' | 'kind' | 'type'> & {
    readonly type?: string;
  };

export const JourneyNodeRef: ObjectRef<SchemaTypes, AnyNode> = memberObject<AnyNode>(
  'JourneyNode',
  {
    description: 'A node in a journey. Fields that do not apply to its kind are null.',
    fields: t => ({
      ...expose(t, 'String!', { id: 'The ID, unique within the journey.' }),
      ...expose(t, JourneyNodeKindRef, { kind: 'The action that the node performs.' }),
      template: linked(t, 'templateId', TemplateRef, templateById, 'SEND: the template to send.'),
      channel: t.expose('channel', {
        type: TemplateChannelEnum,
        description: 'SEND: the channel of the message.',
      }),
      versionId: t.id({
        description:
          'SEND: the ID of the version that is pinned instead of the ACTIVE one; null if there is none.',
        resolve: ({ versionId }) => versionId && encodeNodeId('TemplateVersion', versionId),
      }),
      widgetType: t.field({
        type: CampaignTypeRef,
        description: 'WIDGET: the display type.',
        resolve: ({ type = '' }) => (CampaignTypes.includes(type) ? (type as 'banner') : null),
      }),
      ...expose(t, 'String', {
        next: 'The ID of the next node; null for END.',
        language: 'SEND: the language of the message.',
        onDismissed:
          'WIDGET: the ID of the next node if the widget is dismissed; null if `next` is used.',
        onExpired: 'WIDGET: the ID of the next node if the widget expires; null if `next` is used.',
      }),
      ...expose(t, 'JSON', {
        variables:
          'SEND: an object that maps template variables to traits, for variables whose trait has a different name.',
        content: 'WIDGET: the content.',
      }),
      ...expose(t, 'Int', {
        seconds:
          'WAIT: the waiting time in seconds. WIDGET: the time until the widget expires, in seconds.',
      }),
    }),
  },
);

export const JourneyNodeInput = builder.inputType('JourneyNodeInput', {
  description: 'A node in a journey. Only the fields that apply to its kind are accepted.',
  fields: t => ({
    id: t.string({ required: true, description: 'The ID, unique within the journey.' }),
    kind: t.field({
      type: JourneyNodeKindRef,
      required: true,
      description: 'The action that the node performs.',
    }),
    next: t.string({ description: 'The ID of the next node. Not allowed for END.' }),
    templateId: t.globalID({ description: 'SEND: the ID of the template to send.' }),
    channel: t.field({
      type: TemplateChannelEnum,
      description: 'SEND: the channel of the message.',
    }),
    language: t.string({ description: 'SEND: the language of the message.' }),
    versionId: t.globalID({
      description:
        'SEND: the ID of a SUBMITTED or approved version to pin instead of the ACTIVE one.',
    }),
    variables: t.field({
      type: 'JSON',
      description:
        'SEND: an object such as {"variable": "trait"}, for variables whose trait has a different name.',
    }),
    seconds: t.int({
      description:
        'WAIT: the waiting time in seconds. WIDGET: the time until the widget expires, in seconds.',
    }),
    name: t.string({ description: 'WIDGET: the display name.' }),
    type: t.field({ type: CampaignTypeRef, description: 'WIDGET: the display type.' }),
    surfaces: t.stringList({
      description:
        'WIDGET: the surfaces that show the widget. If the list is empty, all surfaces show it.',
    }),
    content: t.field({ type: 'JSON', description: 'WIDGET: the content.' }),
    priority: t.int({
      description: 'WIDGET: the priority. The widget with the highest priority is shown first.',
    }),
    consentPurpose: t.string({
      description: 'WIDGET: the purpose that the contact must have consented to.',
    }),
    isCapExempt: t.boolean({
      description: 'WIDGET: whether the widget is exempt from the workspace’s frequency caps.',
    }),
    onDismissed: t.string({
      description:
        'WIDGET: the ID of the next node if the widget is dismissed. Defaults to `next`.',
    }),
    onExpired: t.string({
      description: 'WIDGET: the ID of the next node if the widget expires. Defaults to `next`.',
    }),
  }),
});
