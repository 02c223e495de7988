import type { ObjectRef } from '@pothos/core';
import { CAMPAIGN_TYPES } from '../../schema/campaign/campaign.ts';
import { CampaignTypeRef } from '../campaigns/campaign.graph.ts';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { TemplateChannelEnum } from '../templates/content.graph.ts';
import { TemplateRef, templateById } from '../templates/template.graph.ts';
import type { JourneyNode } from './nodes.ts';

const JourneyNodeKindRef = builder.enumType('JourneyNodeKind', {
  description: 'What happens at a node of a journey.',
  values: {
    SEND: { value: 'send', description: 'A message of a template is sent.' },
    WIDGET: { value: 'widget', description: 'Something is shown in-app, and its end waited for.' },
    WAIT: { value: 'wait', description: 'Time passes.' },
    END: { value: 'end', description: 'The person leaves.' },
  } as const,
});

/** A field that only some kinds have. */
function fieldOf(node: JourneyNode, name: string): unknown {
  return (node as Readonly<Record<string, unknown>>)[name] ?? null;
}

const CampaignTypes = CAMPAIGN_TYPES as readonly string[];

export const JourneyNodeRef: ObjectRef<SchemaTypes, JourneyNode> = builder
  .objectRef<JourneyNode>('JourneyNode')
  .implement({
    description: 'A node of a journey; fields that its kind has not are null.',
    authScopes: { member: true },
    fields: t => ({
      id: t.exposeString('id', { nullable: false, description: 'Its id within the journey.' }),
      kind: t.field({
        type: JourneyNodeKindRef,
        nullable: false,
        description: 'What happens there.',
        resolve: ({ kind }) => kind,
      }),
      next: t.string({
        description: 'The node after it.',
        resolve: node => fieldOf(node, 'next') as string | null,
      }),
      template: t.field({
        type: TemplateRef,
        description: 'SEND: what is sent.',
        resolve: (node, _args, graph) =>
          node.kind === 'send' ? templateById(graph, node.templateId) : null,
      }),
      channel: t.field({
        type: TemplateChannelEnum,
        description: 'SEND: by which channel.',
        resolve: node => (node.kind === 'send' ? node.channel : null),
      }),
      language: t.string({
        description: 'SEND: in which language.',
        resolve: node => fieldOf(node, 'language') as string | null,
      }),
      versionId: t.id({
        description: 'SEND: the version that is pinned in place of the ACTIVE one.',
        resolve: node =>
          node.kind === 'send' && node.versionId !== undefined
            ? encodeNodeId('TemplateVersion', node.versionId)
            : null,
      }),
      variables: t.field({
        type: 'JSON',
        description: 'SEND: the traits that variables take their values from.',
        resolve: node => fieldOf(node, 'variables'),
      }),
      seconds: t.int({
        description: 'WAIT: how long. WIDGET: how long it is waited for.',
        resolve: node => fieldOf(node, 'seconds') as number | null,
      }),
      widgetType: t.field({
        type: CampaignTypeRef,
        description: 'WIDGET: how it is displayed.',
        resolve: node => {
          const type = fieldOf(node, 'type');
          return CampaignTypes.includes(String(type)) ? (type as 'banner') : null;
        },
      }),
      content: t.field({
        type: 'JSON',
        description: 'WIDGET: what is displayed.',
        resolve: node => fieldOf(node, 'content'),
      }),
      onDismissed: t.string({
        description: 'WIDGET: the node after a dismissal.',
        resolve: node => fieldOf(node, 'onDismissed') as string | null,
      }),
      onExpired: t.string({
        description: 'WIDGET: the node where nothing was done with it in time.',
        resolve: node => fieldOf(node, 'onExpired') as string | null,
      }),
    }),
  });

export const JourneyNodeInput = builder.inputType('JourneyNodeInput', {
  description: 'A node of a journey, with the fields that its kind takes.',
  fields: t => ({
    id: t.string({ required: true, description: 'Its id within the journey.' }),
    kind: t.field({ type: JourneyNodeKindRef, required: true, description: 'What happens there.' }),
    next: t.string({ description: 'The node after it; an END has none.' }),
    templateId: t.globalID({ description: 'SEND: what is sent.' }),
    channel: t.field({ type: TemplateChannelEnum, description: 'SEND: by which channel.' }),
    language: t.string({ description: 'SEND: in which language.' }),
    versionId: t.globalID({
      description: 'SEND: a version to pin in place of the ACTIVE one, SUBMITTED or approved.',
    }),
    variables: t.field({
      type: 'JSON',
      description: 'SEND: {"variable": "trait"}, where a trait has another name.',
    }),
    seconds: t.int({ description: 'WAIT and WIDGET: how long.' }),
    name: t.string({ description: 'WIDGET: what people call it.' }),
    type: t.field({ type: CampaignTypeRef, description: 'WIDGET: how it is displayed.' }),
    surfaces: t.stringList({ description: 'WIDGET: where; empty is everywhere.' }),
    content: t.field({ type: 'JSON', description: 'WIDGET: what to display.' }),
    priority: t.int({ description: 'WIDGET: the highest comes first.' }),
    consentPurpose: t.string({ description: 'WIDGET: what a person must have agreed to.' }),
    isCapExempt: t.boolean({ description: 'WIDGET: shown whatever the workspace’s caps say.' }),
    onDismissed: t.string({ description: 'WIDGET: the node after a dismissal; next unless said.' }),
    onExpired: t.string({ description: 'WIDGET: the node after its time; next unless said.' }),
  }),
});
