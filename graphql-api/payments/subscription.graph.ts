import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, memberNode } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { money } from '../platform/graph/money.ts';
import { changed, changedObject, mutation } from '../platform/graph/mutation.ts';
import { FAULT_CODES } from './client/reject-fault.ts';
import { gatewaySubscriptions } from './object.reads.ts';
import { gatewaySubscriptionCreate, gatewaySubscriptionManage } from './subscription.actions.ts';
import {
  gatewaySubscriptionCreateContract,
  gatewaySubscriptionManageContract,
} from './subscription.contract.ts';
import type { GatewaySubscription } from './subscription.entity.ts';
import { customerFields, ORIGIN, rowFields, TAGS, TagInput, TagRef } from './values.graph.ts';

const subscriptionById = loaderById(gatewaySubscriptions.byIds);

const MethodEnum = describedEnum('GatewayMandateMethod', 'How a customer authorizes a mandate.', {
  UPI_AUTOPAY: 'A mandate authorized in a UPI app.',
  ENACH: 'A NACH mandate authorized online at the customer’s bank.',
  PNACH: 'A NACH mandate authorized on paper at the customer’s bank.',
  CARD: 'A card stored by the payment gateway.',
});

const ManageEnum = describedEnum('GatewaySubscriptionAction', 'An action on a subscription.', {
  CANCEL: 'Cancels the subscription permanently.',
  PAUSE: 'Suspends charges until the subscription is activated again.',
  ACTIVATE: 'Resumes a paused subscription.',
});

export const GatewaySubscriptionRef: ObjectRef<SchemaTypes, GatewaySubscription> = memberNode(
  'GatewaySubscription',
  subscriptionById,
  {
    description:
      'A customer’s subscription to a plan, with the mandate that authorizes the charges.',
    fields: t => ({
      ...rowFields(t, 'subscription'),
      ...expose(t, 'String!', {
        subscriptionId: 'The subscription ID sent to the payment gateway.',
        planId: 'The plan ID sent to the payment gateway.',
      }),
      methods: t.exposeStringList('paymentMethods', {
        nullable: false,
        description: 'The payment methods that the customer can choose from.',
      }),
      method: t.exposeString('paymentMethod', {
        description: 'The payment method that the customer chose; null until one is chosen.',
      }),
      ...expose(t, 'String', {
        authorizationStatus: 'The payment gateway’s status for the mandate; null if it is unknown.',
      }),
      authorizationAmount: money(t, 'authorizationAmountMinor', {
        nullable: true,
        description:
          'The amount of the small debit that verifies the mandate; null if there is no such debit.',
      }),
      ...expose(t, 'String', {
        mandateAuthorizationUrl:
          'The URL at which the customer authorizes the mandate; null until the payment gateway has created the subscription.',
        sessionId:
          'The session ID used to open the payment gateway’s authorization page; null until the payment gateway has created the subscription.',
      }),
      ...expose(t, 'DateTime', {
        firstChargeAt: 'When the first charge is due; null if no date is set.',
        nextChargeAt: 'When the next charge is due; null if it is unknown.',
        expiresAt: 'When the mandate expires; null if it does not expire.',
      }),
      ...expose(t, [TagRef], { tags: TAGS }),
    }),
  },
);

pageQuery('gatewaySubscriptions', {
  type: connectionType('GatewaySubscription', GatewaySubscriptionRef),
  description: 'The subscriptions in the viewer’s workspace.',
  page: gatewaySubscriptions.page,
});

const SubscriberInput = builder.inputType('GatewaySubscriberInput', {
  description:
    'The customer who authorizes the mandate. The details are sent to the payment gateway and not stored.',
  fields: t => ({
    ...customerFields(t),
    email: t.string({ required: true, description: 'The email address.' }),
  }),
});

mutation({
  name: 'gatewaySubscriptionCreate',
  description: `Creates a subscription. The customer authorizes the mandate at \`mandateAuthorizationUrl\`. ${ORIGIN}`,
  access: 'owner',
  idempotency: 'required',
  input: t => ({
    planId: t.globalID({ required: true, description: 'The ID of the plan.' }),
    customer: t.field({
      type: SubscriberInput,
      required: true,
      description: 'The customer who is charged.',
    }),
    methods: t.field({
      type: [MethodEnum],
      required: true,
      description: 'The payment methods that the customer can choose from.',
    }),
    authorizationAmount: t.field({
      type: 'Decimal',
      description:
        'The amount of the debit that verifies the mandate. Not allowed if `methods` contains ENACH or PNACH.',
    }),
    firstChargeAt: t.field({ type: 'DateTime', description: 'When the first charge is due.' }),
    expiresAt: t.field({ type: 'DateTime', description: 'When the mandate expires.' }),
    returnUrl: t.string({
      description: 'The URL to which the customer is redirected after authorizing the mandate.',
    }),
    tags: t.field({
      type: [TagInput],
      description: 'Up to 9 tags for the payment gateway to echo back. This service adds one more.',
    }),
  }),
  contract: gatewaySubscriptionCreateContract,
  codes: [...FAULT_CODES, 'NOT_FOUND', 'GATEWAY_STATUS', 'IDEMPOTENCY_KEY_MISMATCH'],
  process: gatewaySubscriptionCreate,
  payload: t => ({
    gatewaySubscription: changed(t, GatewaySubscriptionRef, subscriptionById, 'The subscription.'),
  }),
});

mutation({
  name: 'gatewaySubscriptionManage',
  description: 'Cancels, pauses or activates a subscription. Idempotent.',
  access: 'owner',
  target: GatewaySubscriptionRef,
  input: t => ({
    action: t.field({ type: ManageEnum, required: true, description: 'The action to perform.' }),
    nextChargeAt: t.field({
      type: 'DateTime',
      description:
        'When the next charge is due. Required for ACTIVATE; not allowed for other actions.',
    }),
  }),
  contract: gatewaySubscriptionManageContract,
  codes: [...FAULT_CODES, 'NOT_FOUND', 'GATEWAY_STATUS'],
  process: gatewaySubscriptionManage,
  payload: changedObject(
    'gatewaySubscription',
    GatewaySubscriptionRef,
    subscriptionById,
    'The updated subscription.',
  ),
});
