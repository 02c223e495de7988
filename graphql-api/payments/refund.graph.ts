import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { FAULT_CODES } from './client/reject-fault.ts';
import { gatewayRefunds, gatewayRefundsPage } from './object.reads.ts';
import { gatewayRefundCreate } from './refund.actions.ts';
import { gatewayRefundCreateContract } from './refund.contract.ts';
import { GatewayRefund } from './refund.entity.ts';
import { ORIGIN, rowFields } from './values.graph.ts';

const refundById = loaderById(gatewayRefunds.byIds);

const SpeedEnum = builder.enumType('GatewayRefundSpeed', {
  description: 'How soon the payer has the money back.',
  values: {
    STANDARD: { description: 'Within days. The only one for UPI mandates.' },
    INSTANT: { description: 'At once where the bank can. The only one for NACH mandates.' },
  },
});

const GatewayRefundRef: ObjectRef<SchemaTypes, GatewayRefund> = builder.node(GatewayRefund, {
  name: 'GatewayRefund',
  description: 'Money given back of one payment.',
  authScopes: { member: true },
  id: { resolve: refund => refund.id },
  loadOne: (id, graph) => refundById(graph, id),
  fields: t => ({
    ...rowFields(t),
    refundId: t.exposeString('refundId', {
      nullable: false,
      description: 'The id that we gave it, which is its idempotency key at the gateway too.',
    }),
    paymentId: t.exposeString('cfPaymentId', { description: 'The gateway’s id of the payment.' }),
    amount: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'How much.',
      resolve: ({ amountMinor, currency }) => ({ amountMinor, currencyCode: currency }),
    }),
    speed: t.exposeString('speed', { description: 'What was asked for: STANDARD or INSTANT.' }),
    processedSpeed: t.exposeString('processedSpeed', {
      description: 'How it went out, which may be slower.',
    }),
    note: t.exposeString('note', { description: 'The note, as it was sent.' }),
    bankReference: t.exposeString('arn', { description: 'The bank’s, once it has gone out.' }),
  }),
});

const GatewayRefundConnection = connectionType('GatewayRefund', GatewayRefundRef);

builder.queryField('gatewayRefunds', t =>
  t.field({
    type: GatewayRefundConnection,
    nullable: false,
    description: 'The refunds of the viewer’s workspace.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      paymentId: t.arg.string({
        description: 'Only those of this payment, by the gateway’s id of it.',
      }),
    },
    complexity: pageCost,
    resolve: async (_root, { paymentId, ...page }, { context }) =>
      connectionOfPage(await gatewayRefundsPage(context, page, paymentId ?? undefined), page),
  }),
);

mutation({
  name: 'gatewayRefundCreate',
  description: `Gives back a payment or a part of it, never more than was paid. ${ORIGIN}`,
  access: 'owner',
  idempotency: 'required',
  input: t => ({
    paymentId: t.string({ required: true, description: 'The gateway’s id of the payment.' }),
    amount: t.field({ type: 'Decimal', description: 'All that is left of it unless said.' }),
    note: t.string({ description: 'A note, of at least 3 characters.' }),
    speed: t.field({ type: SpeedEnum, description: 'What the method allows; else STANDARD.' }),
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
  payload: t => ({
    gatewayRefund: t.field({
      type: GatewayRefundRef,
      description: 'The refund.',
      resolve: ({ result }, _args, graph) => result && refundById(graph, result.id),
    }),
  }),
});
