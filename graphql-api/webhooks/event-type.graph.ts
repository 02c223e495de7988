import { builder } from '../platform/graph/builder.ts';
import { expose, memberObject } from '../platform/graph/fields.ts';
import {
  EVENT_FAMILIES,
  EVENT_TYPES,
  type WebhookEventFamily,
  type WebhookEventType,
} from './event-types.ts';

const EventTypeRef = memberObject<WebhookEventType>('WebhookEventType', {
  description: 'A type of outbound event.',
  fields: t => ({
    ...expose(t, 'String!', {
      type: 'The name of the type, as used in webhooks and in `eventTypes`.',
      description: 'A description of the event.',
    }),
  }),
});

const EventFamilyRef = memberObject<WebhookEventFamily>('WebhookEventFamily', {
  description: 'The outbound event types for one kind of object.',
  fields: t => ({
    choice: t.string({
      nullable: false,
      description:
        'The value that subscribes an endpoint to all types in the family, including future ones, for example `payment.*`.',
      resolve: ({ name }) => `${name}.*`,
    }),
    ...expose(t, 'String!', { description: 'A description of the family.' }),
    types: t.field({
      type: [EventTypeRef],
      nullable: false,
      description: 'The event types in the family.',
      // All families together have some sixty types.
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ types }) => [...types],
    }),
  }),
});

builder.queryField('webhookEventTypes', t =>
  t.field({
    type: [EventFamilyRef],
    nullable: false,
    description: `The ${EVENT_TYPES.length} types of outbound events, grouped by family. \`/docs/webhooks\` explains how to verify webhooks.`,
    authScopes: { member: true },
    complexity: { field: 1, multiplier: EVENT_FAMILIES.length },
    resolve: () => [...EVENT_FAMILIES],
  }),
);
