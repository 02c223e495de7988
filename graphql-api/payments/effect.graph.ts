import { builder } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { reject } from '../platform/rejected.ts';
import type { GatewayEffect } from './effect.entity.ts';
import { gatewayEffectsPage } from './money.reads.ts';

const GatewayEffectRef = builder.objectRef<GatewayEffect>('GatewayEffect').implement({
  description: 'What happened at the payment gateway, each thing once.',
  authScopes: { member: true },
  fields: t => ({
    name: t.exposeString('name', {
      nullable: false,
      description: 'Such as `payment.succeeded`; webhook endpoints know it by the same name.',
    }),
    objectKind: t.exposeString('objectKind', {
      nullable: false,
      description: 'What it is about: payment, link, order, refund, subscription, dispute ….',
    }),
    objectId: t.exposeString('objectId', {
      nullable: false,
      description: 'Its id at the gateway.',
    }),
    eventId: t.id({
      description: 'The event that told it first; null where the gateway was asked.',
      resolve: ({ eventId }) => eventId && encodeNodeId('GatewayEvent', eventId),
    }),
    isLate: t.exposeBoolean('isLate', {
      nullable: false,
      description: 'Something further was known already, so that no webhook endpoint was told.',
    }),
    occurredAt: t.expose('occurredAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When, by the gateway’s clock.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When we learned of it.',
    }),
  }),
});

const GatewayEffectConnection = connectionType('GatewayEffect', GatewayEffectRef);

builder.queryField('gatewayEffects', t =>
  t.field({
    type: GatewayEffectConnection,
    nullable: false,
    description: 'What happened at the payment gateway in the viewer’s workspace.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      eventId: t.arg.globalID({ description: 'Only what this event told first.' }),
    },
    complexity: pageCost,
    resolve: async (_root, { eventId, ...page }, { context }) => {
      if (eventId != null && eventId.typename !== 'GatewayEvent')
        return reject('INVALID_ID', { field: ['eventId'] });
      return connectionOfPage(await gatewayEffectsPage(context, page, eventId?.id), page);
    },
  }),
);
