import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { expose, memberNode, memberObject } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { MoneyRef, money } from '../platform/graph/money.ts';
import { changedObject, mutation } from '../platform/graph/mutation.ts';
import { FAULT_CODES } from './client/reject-fault.ts';
import { gatewayOrders } from './object.reads.ts';
import { gatewayOrderCreate } from './order.actions.ts';
import { gatewayOrderCreateContract } from './order.contract.ts';
import type { GatewayOrder, OrderSplit } from './order.entity.ts';
import { customerFields, ORIGIN, rowFields, TAGS, TagInput, TagRef } from './values.graph.ts';

const orderById = loaderById(gatewayOrders.byIds);

type ShownSplit = OrderSplit & { readonly currency: string };

const SplitRef = memberObject<ShownSplit>('GatewayOrderSplit', {
  description: 'A vendor’s share of an order, as an amount or a percentage.',
  fields: t => ({
    ...expose(t, 'String!', { vendorId: 'The vendor ID sent to the payment gateway.' }),
    amount: t.field({
      type: MoneyRef,
      description: 'The share as an amount; null if it is a percentage.',
      resolve: ({ amountMinor, currency }) =>
        amountMinor === undefined
          ? null
          : { amountMinor: BigInt(amountMinor), currencyCode: currency },
    }),
    ...expose(t, 'String', { percentage: 'The share as a percentage; null if it is an amount.' }),
  }),
});

export const GatewayOrderRef: ObjectRef<SchemaTypes, GatewayOrder> = memberNode(
  'GatewayOrder',
  orderById,
  {
    description: 'An order that a customer pays for through a storefront’s checkout.',
    fields: t => ({
      ...rowFields(t, 'order'),
      ...expose(t, 'String!', { orderId: 'The order ID sent to the payment gateway.' }),
      amount: money(t, 'amountMinor', { description: 'The amount to be paid.' }),
      amountPaid: money(t, 'amountPaidMinor', { description: 'The amount paid so far.' }),
      amountRefunded: money(t, 'refundedMinor', {
        description: 'The sum of the successful refunds of the order.',
      }),
      ...expose(t, 'String', {
        note: 'The note, as sent to the payment gateway; null if there is none.',
        paymentSessionId:
          'The session ID used to open the checkout; null until the payment gateway has created the order.',
      }),
      ...expose(t, 'DateTime', { expiresAt: 'When the order expires; null until it is known.' }),
      splits: t.field({
        type: [SplitRef],
        nullable: false,
        description: 'The vendors’ shares of the order.',
        resolve: ({ splits, currency }) => splits.map(split => ({ ...split, currency })),
      }),
      ...expose(t, [TagRef], { tags: TAGS }),
    }),
  },
);

pageQuery('gatewayOrders', {
  type: connectionType('GatewayOrder', GatewayOrderRef),
  description: 'The orders in the viewer’s workspace.',
  page: gatewayOrders.page,
});

const OrderCustomerInput = builder.inputType('GatewayOrderCustomerInput', {
  description:
    'The customer who pays for an order. The details are sent to the payment gateway and not stored.',
  fields: t => ({
    id: t.string({
      required: true,
      description: 'The merchant’s own ID for the customer: 3 to 50 characters.',
    }),
    ...customerFields(t),
    email: t.string({ description: 'The email address.' }),
  }),
});

const SplitInput = builder.inputType('GatewayOrderSplitInput', {
  description: 'A vendor’s share of an order. Specify either `amount` or `percentage`.',
  fields: t => ({
    id: t.globalID({ required: true, description: 'The ID of the vendor.' }),
    amount: t.field({ type: 'Decimal', description: 'The share as an amount.' }),
    percentage: t.string({
      description: 'The share as a percentage, with at most 2 decimal places.',
    }),
  }),
});

mutation({
  name: 'gatewayOrderCreate',
  description: `Creates an order and a checkout session for it. ${ORIGIN}`,
  access: 'owner',
  idempotency: 'required',
  input: t => ({
    amount: t.field({ type: 'Decimal', required: true, description: 'The amount to be paid.' }),
    currency: t.field({ type: 'CurrencyCode', description: 'The currency. Defaults to INR.' }),
    customer: t.field({
      type: OrderCustomerInput,
      required: true,
      description: 'The customer who pays.',
    }),
    note: t.string({ description: 'A note of at least 3 characters.' }),
    tags: t.field({
      type: [TagInput],
      description: 'Up to 9 tags for the payment gateway to echo back. This service adds one more.',
    }),
    splits: t.field({ type: [SplitInput], description: 'The vendors’ shares of the order.' }),
    returnUrl: t.string({
      description: 'The URL to which the payer is redirected after the payment.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description:
        'When the order expires. If omitted, the payment gateway sets the expiration time.',
    }),
  }),
  contract: gatewayOrderCreateContract,
  codes: [...FAULT_CODES, 'NOT_FOUND', 'GATEWAY_STATUS', 'IDEMPOTENCY_KEY_MISMATCH'],
  process: gatewayOrderCreate,
  payload: changedObject('gatewayOrder', GatewayOrderRef, orderById, 'The order.'),
});
