import { builder } from '../platform/graph/builder.ts';
import {
  EVENT_FAMILIES,
  EVENT_TYPES,
  type WebhookEventFamily,
  type WebhookEventType,
} from './event-types.ts';

const EventTypeRef = builder.objectRef<WebhookEventType>('WebhookEventType').implement({
  description: 'Something that webhook endpoints are told of.',
  authScopes: { member: true },
  fields: t => ({
    type: t.exposeString('type', {
      nullable: false,
      description: 'As webhooks name it, and as an endpoint chooses it.',
    }),
    description: t.exposeString('description', {
      nullable: false,
      description: 'What happened, in words.',
    }),
  }),
});

const EventFamilyRef = builder.objectRef<WebhookEventFamily>('WebhookEventFamily').implement({
  description: 'Types that are about the same kind of thing.',
  authScopes: { member: true },
  fields: t => ({
    choice: t.string({
      nullable: false,
      description: 'How an endpoint chooses all of them, those to come included: `payment.*`.',
      resolve: ({ name }) => `${name}.*`,
    }),
    description: t.exposeString('description', {
      nullable: false,
      description: 'What they are about.',
    }),
    types: t.field({
      type: [EventTypeRef],
      nullable: false,
      description: 'The types.',
      // Of all families together, some sixty.
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ types }) => [...types],
    }),
  }),
});

builder.queryField('webhookEventTypes', t =>
  t.field({
    type: [EventFamilyRef],
    nullable: false,
    description: `Everything that webhook endpoints are told of, by families: ${EVENT_TYPES.length} types. How webhooks are verified is at \`/docs/webhooks\`.`,
    authScopes: { member: true },
    complexity: { field: 1, multiplier: EVENT_FAMILIES.length },
    resolve: () => [...EVENT_FAMILIES],
  }),
);
