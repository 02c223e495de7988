import type { ObjectRef } from '@pothos/core';
import { CAMPAIGN_TYPES } from '../../schema/campaign/campaign.ts';
import { CampaignTypeRef } from '../campaigns/campaign.graph.ts';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { expose } from '../platform/graph/fields.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { TemplateChannelEnum } from '../templates/content.graph.ts';
import { TemplateRef, templateById } from '../templates/template.graph.ts';
import type { JourneyNode } from './nodes.ts';

const JourneyNodeKindRef = builder.enumType('JourneyNodeKind', {
  description: 'The action of a journey node.',
  values: {
    SEND: { value: 'send', description: 'Sends a message of a template.' },
    WIDGET: {
      value: 'widget',
      description: 'Shows an in-app widget, and waits until it is clicked, dismissed or expires.',
    },
    WAIT: { value: 'wait', description: 'Waits for a fixed time.' },
    END: { value: 'end', description: 'Ends the enrolment.' },
  } as const,
});

/** Returns a field that only some kinds of node have, or null. */
function fieldOf(node: JourneyNode, name: string): unknown {
  return (node as Readonly<Record<string, unknown>>)[name] ?? null;
}

const CampaignTypes = CAMPAIGN_TYPES as readonly string[];

export const JourneyNodeRef: ObjectRef<SchemaTypes, JourneyNode> = builder
  .objectRef<JourneyNode>('JourneyNode')
  .implement({
    description: 'A node of a journey. Fields that do not apply to its kind are null.',
    authScopes: { member: true },
    fields: t => ({
      ...expose(t, 'String!', { id: 'The ID, unique within the journey.' }),
      ...expose(t, JourneyNodeKindRef, { kind: 'The action of the node.' }),
      next: t.string({
        description: 'The ID of the next node; null for END.',
        resolve: node => fieldOf(node, 'next') as string | null,
      }),
      template: t.field({
        type: TemplateRef,
        description: 'SEND: the template to send.',
        resolve: (node, _args, graph) =>
          node.kind === 'send' ? templateById(graph, node.templateId) : null,
      }),
      channel: t.field({
        type: TemplateChannelEnum,
        description: 'SEND: the channel to send on.',
        resolve: node => (node.kind === 'send' ? node.channel : null),
      }),
      language: t.string({
        description: 'SEND: the language to send in.',
        resolve: node => fieldOf(node, 'language') as string | null,
      }),
      versionId: t.id({
        description: 'SEND: the version that is pinned instead of the ACTIVE one; null if none.',
        resolve: node =>
          node.kind === 'send' && node.versionId !== undefined
            ? encodeNodeId('TemplateVersion', node.versionId)
            : null,
      }),
      variables: t.field({
        type: 'JSON',
        description: 'SEND: an object that maps variables to traits with another name.',
        resolve: node => fieldOf(node, 'variables'),
      }),
      seconds: t.int({
        description:
          'WAIT: the waiting time in seconds. WIDGET: the time until the widget expires, in seconds.',
        resolve: node => fieldOf(node, 'seconds') as number | null,
      }),
      widgetType: t.field({
        type: CampaignTypeRef,
        description: 'WIDGET: the display type.',
        resolve: node => {
          const type = fieldOf(node, 'type');
          return CampaignTypes.includes(String(type)) ? (type as 'banner') : null;
        },
      }),
      content: t.field({
        type: 'JSON',
        description: 'WIDGET: the content.',
        resolve: node => fieldOf(node, 'content'),
      }),
      onDismissed: t.string({
        description: 'WIDGET: the ID of the next node after a dismissal; null to use `next`.',
        resolve: node => fieldOf(node, 'onDismissed') as string | null,
      }),
      onExpired: t.string({
        description: 'WIDGET: the ID of the next node after expiry; null to use `next`.',
        resolve: node => fieldOf(node, 'onExpired') as string | null,
      }),
    }),
  });

export const JourneyNodeInput = builder.inputType('JourneyNodeInput', {
  description: 'A node of a journey. Accepts the fields that apply to its kind.',
  fields: t => ({
    id: t.string({ required: true, description: 'The ID, unique within the journey.' }),
    kind: t.field({
      type: JourneyNodeKindRef,
      required: true,
      description: 'The action of the node.',
    }),
    next: t.string({ description: 'The ID of the next node. Not allowed for END.' }),
    templateId: t.globalID({ description: 'SEND: the ID of the template to send.' }),
    channel: t.field({ type: TemplateChannelEnum, description: 'SEND: the channel to send on.' }),
    language: t.string({ description: 'SEND: the language to send in.' }),
    versionId: t.globalID({
      description:
        'SEND: the ID of a SUBMITTED or approved version to pin instead of the ACTIVE one.',
    }),
    variables: t.field({
      type: 'JSON',
      description: 'SEND: {"variable": "trait"}, for variables whose trait has another name.',
    }),
    seconds: t.int({
      description:
        'WAIT: the waiting time in seconds. WIDGET: the time until the widget expires, in seconds.',
    }),
    name: t.string({ description: 'WIDGET: the display name.' }),
    type: t.field({ type: CampaignTypeRef, description: 'WIDGET: the display type.' }),
    surfaces: t.stringList({
      description: 'WIDGET: the surfaces that show the widget. Empty means all.',
    }),
    content: t.field({ type: 'JSON', description: 'WIDGET: the content.' }),
    priority: t.int({ description: 'WIDGET: the priority. The highest is shown first.' }),
    consentPurpose: t.string({
      description: 'WIDGET: the consent purpose that the contact must have agreed to.',
    }),
    isCapExempt: t.boolean({
      description: 'WIDGET: whether the widget is exempt from the workspace’s frequency caps.',
    }),
    onDismissed: t.string({
      description: 'WIDGET: the ID of the next node after a dismissal. Defaults to `next`.',
    }),
    onExpired: t.string({
      description: 'WIDGET: the ID of the next node after expiry. Defaults to `next`.',
    }),
  }),
});
