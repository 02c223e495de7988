import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { expose, memberObject } from '../platform/graph/fields.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { reject } from '../platform/rejected.ts';
import type { GatewayEffect } from './effect.entity.ts';
import { gatewayEffectsPage } from './payment.reads.ts';

const GatewayEffectRef = memberObject<GatewayEffect>('GatewayEffect', {
  description:
    'A change to an object at the payment gateway, such as a successful payment. Each change is recorded only once, even if it is reported several times.',
  fields: t => ({
    ...expose(t, 'String!', {
      name: 'The name of the effect, for example `payment.succeeded`. The outbound event for the effect has the same name.',
      objectKind:
        'The kind of object affected: `payment`, `link`, `order`, `refund`, `subscription`, `dispute` or another kind.',
      objectId: 'The ID of the affected object at the payment gateway.',
    }),
    eventId: t.id({
      description:
        'The ID of the gateway event that first reported the effect; null if it was found by reconciliation.',
      resolve: ({ eventId }) => eventId && encodeNodeId('GatewayEvent', eventId),
    }),
    ...expose(t, 'Boolean!', {
      isLate:
        'Whether a later state of the object was already known when the effect was recorded. A late effect is not sent to webhook endpoints.',
    }),
    ...expose(t, 'DateTime!', {
      occurredAt:
        'When the change occurred, according to the payment gateway’s clock. If the gateway did not report the time, this is when the service detected the change.',
      createdAt: 'When the effect was first recorded.',
    }),
  }),
});

pageQuery('gatewayEffects', {
  type: connectionType('GatewayEffect', GatewayEffectRef),
  description: 'The effects of payment gateway events in the viewer’s workspace.',
  args: arg => ({
    eventId: arg.globalID({
      description: 'Filters by the gateway event that first reported the effect.',
    }),
    paymentId: arg.string({
      description:
        'The payment gateway’s ID for a payment. Returns only the effects on the payment, its refunds and its disputes.',
    }),
  }),
  page: (context, page, { eventId, paymentId }) => {
    if (eventId != null && eventId.typename !== 'GatewayEvent')
      return reject('INVALID_ID', { field: ['eventId'] });
    const filter = { eventId: eventId?.id, cfPaymentId: paymentId };
    return gatewayEffectsPage(context, page, filter);
  },
});
