import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { FAULT_CODES } from './client/reject-fault.ts';
import { gatewaySubscriptions } from './object.reads.ts';
import { gatewaySubscriptionCreate, gatewaySubscriptionManage } from './subscription.actions.ts';
import {
  gatewaySubscriptionCreateContract,
  gatewaySubscriptionManageContract,
} from './subscription.contract.ts';
import { GatewaySubscription } from './subscription.entity.ts';
import { listOf, ORIGIN, rowFields, TagInput, TagRef } from './values.graph.ts';

const subscriptionById = loaderById(gatewaySubscriptions.byIds);

const MethodEnum = builder.enumType('GatewayMandateMethod', {
  description: 'How a customer gives a mandate.',
  values: {
    UPI_AUTOPAY: { description: 'In a UPI app.' },
    ENACH: { description: 'At the bank, online (NACH).' },
    PNACH: { description: 'At the bank, on paper (NACH).' },
    CARD: { description: 'By a card that the gateway keeps.' },
  },
});

const ManageEnum = builder.enumType('GatewaySubscriptionAction', {
  description: 'What is done to a subscription.',
  values: {
    CANCEL: { description: 'Ends it for good.' },
    PAUSE: { description: 'Nothing is charged until it is activated.' },
    ACTIVATE: { description: 'Goes on with a paused one.' },
  },
});

const GatewaySubscriptionRef: ObjectRef<SchemaTypes, GatewaySubscription> = builder.node(
  GatewaySubscription,
  {
    name: 'GatewaySubscription',
    description: 'A customer’s mandate to be charged by a plan.',
    authScopes: { member: true },
    id: { resolve: subscription => subscription.id },
    loadOne: (id, graph) => subscriptionById(graph, id),
    fields: t => ({
      ...rowFields(t),
      subscriptionId: t.exposeString('subscriptionId', {
        nullable: false,
        description: 'The id that we gave it.',
      }),
      planId: t.exposeString('planId', {
        nullable: false,
        description: 'The id that its plan has at the gateway.',
      }),
      methods: t.exposeStringList('paymentMethods', {
        nullable: false,
        description: 'The ways that the customer may choose from.',
      }),
      method: t.exposeString('paymentMethod', { description: 'The way that was chosen.' }),
      authorizationStatus: t.exposeString('authorizationStatus', {
        description: 'How far the mandate itself is, in the gateway’s word.',
      }),
      authorizationAmount: t.field({
        type: MoneyRef,
        description: 'The small debit by which the mandate is proven.',
        resolve: ({ authorizationAmountMinor, currency }) =>
          authorizationAmountMinor == null
            ? null
            : { amountMinor: authorizationAmountMinor, currencyCode: currency },
      }),
      mandateAuthorizationUrl: t.exposeString('mandateAuthorizationUrl', {
        description: 'Where the customer gives the mandate.',
      }),
      sessionId: t.exposeString('sessionId', {
        description: 'What the gateway’s own page for the mandate is opened with.',
      }),
      firstChargeAt: t.expose('firstChargeAt', {
        type: 'DateTime',
        description: 'When it is charged first.',
      }),
      nextChargeAt: t.expose('nextChargeAt', {
        type: 'DateTime',
        description: 'When it is charged next, as far as the gateway has said.',
      }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when.' }),
      tags: t.field({
        type: [TagRef],
        nullable: false,
        description: 'What the gateway echoes, in their order, ours first.',
        resolve: ({ tags }) => tags,
      }),
    }),
  },
);

listOf({
  name: 'gatewaySubscriptions',
  typeName: 'GatewaySubscription',
  ref: GatewaySubscriptionRef,
  description: 'The subscriptions of the viewer’s workspace.',
  page: gatewaySubscriptions.page,
});

const SubscriberInput = builder.inputType('GatewaySubscriberInput', {
  description: 'Who gives the mandate. Passed on, and not kept here.',
  fields: t => ({
    phone: t.string({ required: true, description: 'Ten digits, or + and the country’s code.' }),
    email: t.string({ required: true, description: 'The email address.' }),
    name: t.string({ description: 'The name, of at least 3 characters.' }),
  }),
});

mutation({
  name: 'gatewaySubscriptionCreate',
  description: `Makes a subscription; the customer gives the mandate at mandateAuthorizationUrl. ${ORIGIN}`,
  access: 'owner',
  idempotency: 'required',
  input: t => ({
    planId: t.globalID({ required: true, description: 'By which plan it is charged.' }),
    customer: t.field({ type: SubscriberInput, required: true, description: 'Whom.' }),
    methods: t.field({
      type: [MethodEnum],
      required: true,
      description: 'How the customer may give the mandate.',
    }),
    authorizationAmount: t.field({
      type: 'Decimal',
      description: 'The debit that proves the mandate; not with NACH.',
    }),
    firstChargeAt: t.field({ type: 'DateTime', description: 'When it is charged first.' }),
    expiresAt: t.field({ type: 'DateTime', description: 'Until when it may be charged.' }),
    returnUrl: t.string({ description: 'Where the customer comes back to.' }),
    tags: t.field({ type: [TagInput], description: 'At most 9: a tenth is ours.' }),
  }),
  contract: gatewaySubscriptionCreateContract,
  codes: [...FAULT_CODES, 'NOT_FOUND', 'GATEWAY_STATUS', 'IDEMPOTENCY_KEY_MISMATCH'],
  process: gatewaySubscriptionCreate,
  payload: t => ({
    gatewaySubscription: t.field({
      type: GatewaySubscriptionRef,
      description: 'The subscription.',
      resolve: ({ result }, _args, graph) => result && subscriptionById(graph, result.id),
    }),
  }),
});

mutation({
  name: 'gatewaySubscriptionManage',
  description: 'Cancels, pauses or activates a subscription. Again, it changes nothing.',
  access: 'owner',
  target: GatewaySubscriptionRef,
  input: t => ({
    action: t.field({ type: ManageEnum, required: true, description: 'What is done.' }),
    nextChargeAt: t.field({
      type: 'DateTime',
      description: 'To activate: when it is charged next.',
    }),
  }),
  contract: gatewaySubscriptionManageContract,
  codes: [...FAULT_CODES, 'NOT_FOUND', 'GATEWAY_STATUS'],
  process: gatewaySubscriptionManage,
  payload: t => ({
    gatewaySubscription: t.field({
      type: GatewaySubscriptionRef,
      description: 'The subscription as it is now.',
      resolve: ({ result }, _args, graph) => result && subscriptionById(graph, result.id),
    }),
  }),
});
