import type { ObjectRef } from '@pothos/core';
import type { SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, memberNode } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { money } from '../platform/graph/money.ts';
import { changedObject, mutation } from '../platform/graph/mutation.ts';
import { FAULT_CODES } from './client/reject-fault.ts';
import { gatewayRefunds } from './object.reads.ts';
import { gatewayRefundsPage } from './payment.reads.ts';
import { gatewayRefundCreate } from './refund.actions.ts';
import { gatewayRefundCreateContract } from './refund.contract.ts';
import type { GatewayRefund } from './refund.entity.ts';
import { ORIGIN, rowFields } from './values.graph.ts';

const refundById = loaderById(gatewayRefunds.byIds);

const SpeedEnum = describedEnum('GatewayRefundSpeed', 'The speed of a refund.', {
  STANDARD:
    'The refund is made within a few days. Payments under UPI mandates can be refunded only at this speed.',
  INSTANT:
    'The refund is made immediately if the bank supports it. Payments under NACH mandates can be refunded only at this speed.',
});

const GatewayRefundRef: ObjectRef<SchemaTypes, GatewayRefund> = memberNode(
  'GatewayRefund',
  refundById,
  {
    description: 'A full or partial refund of a payment.',
    fields: t => ({
      ...rowFields(t, 'refund'),
      ...expose(t, 'String!', {
        refundId:
          'The refund ID sent to the payment gateway, which also uses it as the idempotency key.',
      }),
      paymentId: t.exposeString('cfPaymentId', {
        description: 'The payment gateway’s ID for the refunded payment; null if it is unknown.',
      }),
      amount: money(t, 'amountMinor', { description: 'The refunded amount.' }),
      ...expose(t, 'String', {
        speed: 'The requested speed: STANDARD or INSTANT; null if it is unknown.',
        processedSpeed:
          'The speed at which the refund was processed, which can be lower than the requested speed; null until the refund is processed.',
        note: 'The note, as sent to the payment gateway; null if there is none.',
      }),
      bankReference: t.exposeString('arn', {
        description: 'The bank’s reference number (ARN); null until the refund is processed.',
      }),
    }),
  },
);

pageQuery('gatewayRefunds', {
  type: connectionType('GatewayRefund', GatewayRefundRef),
  description: 'The refunds in the viewer’s workspace.',
  args: arg => ({
    paymentId: arg.string({ description: 'Filters by the payment gateway’s ID for the payment.' }),
    orderId: arg.string({ description: 'Filters by the order ID sent to the payment gateway.' }),
  }),
  page: gatewayRefundsPage,
});

mutation({
  name: 'gatewayRefundCreate',
  description: `Refunds a payment in full or in part. The total of all refunds of a payment cannot exceed the amount paid. ${ORIGIN}`,
  access: 'owner',
  idempotency: 'required',
  input: t => ({
    paymentId: t.string({
      required: true,
      description: 'The payment gateway’s ID for the payment to refund.',
    }),
    amount: t.field({
      type: 'Decimal',
      description: 'The amount to refund. Defaults to the amount that has not been refunded yet.',
    }),
    note: t.string({ description: 'A note of at least 3 characters.' }),
    speed: t.field({
      type: SpeedEnum,
      description:
        'The speed. Defaults to the speed that the payment method requires, or to STANDARD if the payment method allows both speeds.',
    }),
  }),
  contract: gatewayRefundCreateContract,
  codes: [
    ...FAULT_CODES,
    'NOT_FOUND',
    'PAYMENT_NOT_REFUNDABLE',
    'REFUND_EXCEEDS_PAYMENT',
    'IDEMPOTENCY_KEY_MISMATCH',
  ],
  process: gatewayRefundCreate,
  payload: changedObject('gatewayRefund', GatewayRefundRef, refundById, 'The refund.'),
});
