import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { FAULT_CODES } from './client/reject-fault.ts';
import { gatewayOrders } from './object.reads.ts';
import { gatewayOrderCreate } from './order.actions.ts';
import { gatewayOrderCreateContract } from './order.contract.ts';
import { GatewayOrder, type OrderSplit } from './order.entity.ts';
import { listOf, ORIGIN, rowFields, TagInput, TagRef } from './values.graph.ts';

const orderById = loaderById(gatewayOrders.byIds);

type ShownSplit = OrderSplit & { readonly currency: string };

const SplitRef = builder.objectRef<ShownSplit>('GatewayOrderSplit').implement({
  description: 'What a vendor gets of an order: a sum or a share.',
  authScopes: { member: true },
  fields: t => ({
    vendorId: t.exposeString('vendorId', {
      nullable: false,
      description: 'The id that the vendor has at the gateway.',
    }),
    amount: t.field({
      type: MoneyRef,
      description: 'The sum; null where it is a share.',
      resolve: ({ amountMinor, currency }) =>
        amountMinor === undefined
          ? null
          : { amountMinor: BigInt(amountMinor), currencyCode: currency },
    }),
    percentage: t.exposeString('percentage', {
      description: 'The share in percent; null where it is a sum.',
    }),
  }),
});

const GatewayOrderRef: ObjectRef<SchemaTypes, GatewayOrder> = builder.node(GatewayOrder, {
  name: 'GatewayOrder',
  description: 'An order, which a shop’s checkout has paid by its session.',
  authScopes: { member: true },
  id: { resolve: order => order.id },
  loadOne: (id, graph) => orderById(graph, id),
  fields: t => ({
    ...rowFields(t),
    orderId: t.exposeString('orderId', { nullable: false, description: 'The id that we gave it.' }),
    amount: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'What is to be paid.',
      resolve: ({ amountMinor, currency }) => ({ amountMinor, currencyCode: currency }),
    }),
    amountPaid: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'What was paid so far.',
      resolve: order => ({ amountMinor: order.amountPaidMinor, currencyCode: order.currency }),
    }),
    note: t.exposeString('note', { description: 'The note, as it was sent.' }),
    paymentSessionId: t.exposeString('paymentSessionId', {
      description: 'What the checkout is opened with.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when.' }),
    splits: t.field({
      type: [SplitRef],
      nullable: false,
      description: 'Who gets a part of it.',
      resolve: ({ splits, currency }) => splits.map(split => ({ ...split, currency })),
    }),
    tags: t.field({
      type: [TagRef],
      nullable: false,
      description: 'What the gateway echoes, ours first.',
      resolve: ({ tags }) => tags,
    }),
  }),
});

listOf({
  name: 'gatewayOrders',
  typeName: 'GatewayOrder',
  ref: GatewayOrderRef,
  description: 'The orders of the viewer’s workspace.',
  page: gatewayOrders.page,
});

const OrderCustomerInput = builder.inputType('GatewayOrderCustomerInput', {
  description: 'Whom the payment gateway asks for money. Passed on, and not kept here.',
  fields: t => ({
    id: t.string({ required: true, description: 'The shop’s own: 3 to 50 characters.' }),
    phone: t.string({ required: true, description: 'Ten digits, or + and the country’s code.' }),
    email: t.string({ description: 'The email address.' }),
    name: t.string({ description: 'The name, of at least 3 characters.' }),
  }),
});

const SplitInput = builder.inputType('GatewayOrderSplitInput', {
  description: 'What a vendor gets: either a sum or a share.',
  fields: t => ({
    id: t.globalID({ required: true, description: 'Which vendor.' }),
    amount: t.field({ type: 'Decimal', description: 'A sum.' }),
    percentage: t.string({ description: 'A share in percent, with at most 2 decimals.' }),
  }),
});

mutation({
  name: 'gatewayOrderCreate',
  description: `Makes an order and its session for the checkout. ${ORIGIN}`,
  access: 'owner',
  idempotency: 'required',
  input: t => ({
    amount: t.field({ type: 'Decimal', required: true, description: 'What is to be paid.' }),
    currency: t.field({ type: 'CurrencyCode', description: 'Its currency; INR unless said.' }),
    customer: t.field({ type: OrderCustomerInput, required: true, description: 'Who pays.' }),
    note: t.string({ description: 'A note, of at least 3 characters.' }),
    tags: t.field({ type: [TagInput], description: 'At most 9: a tenth is ours.' }),
    splits: t.field({ type: [SplitInput], description: 'Which vendors get a part of it.' }),
    returnUrl: t.string({ description: 'Where the payer comes back to.' }),
    expiresAt: t.field({ type: 'DateTime', description: 'Until when.' }),
  }),
  contract: gatewayOrderCreateContract,
  codes: [...FAULT_CODES, 'NOT_FOUND', 'GATEWAY_STATUS', 'IDEMPOTENCY_KEY_MISMATCH'],
  process: gatewayOrderCreate,
  payload: t => ({
    gatewayOrder: t.field({
      type: GatewayOrderRef,
      description: 'The order.',
      resolve: ({ result }, _args, graph) => result && orderById(graph, result.id),
    }),
  }),
});
