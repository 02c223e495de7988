import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { connectionOfPage, pageArgs, pageCost } from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { encodeNodeId, uuidOf } from '../platform/graph/node-id.ts';
import { FAULT_CODES } from './client/reject-fault.ts';
import { billingLinkCreate, gatewayLinkCancel, gatewayLinkCreate } from './link.actions.ts';
import {
  billingLinkCreateContract,
  gatewayLinkCancelContract,
  gatewayLinkCreateContract,
} from './link.contract.ts';
import { GatewayLink } from './link.entity.ts';
import { billingLinksByIds, billingLinksPage, gatewayLinks } from './object.reads.ts';
import { CustomerInput, listOf, ORIGIN, rowFields, TagInput, TagRef } from './values.graph.ts';

const linkById = loaderById(gatewayLinks.byIds);
const billingLinkById = loaderById(billingLinksByIds);

const GatewayLinkRef: ObjectRef<SchemaTypes, GatewayLink> = builder.node(GatewayLink, {
  name: 'GatewayLink',
  description: 'A payment link: an address at which somebody pays a sum once, or in parts.',
  authScopes: { member: true },
  id: { resolve: link => link.id },
  loadOne: (id, graph) => linkById(graph, id),
  fields: t => ({
    ...rowFields(t),
    linkId: t.exposeString('linkId', { nullable: false, description: 'The id that we gave it.' }),
    payerOrganizationId: t.id({
      description: 'Who is to pay it to the platform; null for a workspace’s own links.',
      resolve: ({ payerOrganizationId }) =>
        payerOrganizationId && encodeNodeId('Organization', payerOrganizationId),
    }),
    purpose: t.exposeString('purpose', { nullable: false, description: 'What is paid for.' }),
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
      resolve: link => ({ amountMinor: link.amountPaidMinor, currencyCode: link.currency }),
    }),
    minimumPartialAmount: t.field({
      type: MoneyRef,
      description: 'The least that is taken as a part; null where there are none.',
      resolve: ({ minimumPartialMinor, currency }) =>
        minimumPartialMinor == null
          ? null
          : { amountMinor: minimumPartialMinor, currencyCode: currency },
    }),
    url: t.exposeString('linkUrl', { description: 'Where to pay, once the gateway has said so.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when.' }),
    notes: t.field({
      type: [TagRef],
      nullable: false,
      description: 'What the gateway echoes, ours first.',
      resolve: ({ notes }) => notes,
    }),
  }),
});

const LinkConnection = listOf({
  name: 'gatewayLinks',
  typeName: 'GatewayLink',
  ref: GatewayLinkRef,
  description: 'The payment links of the viewer’s workspace.',
  page: gatewayLinks.page,
});

builder.queryField('billingLinks', t =>
  t.field({
    type: LinkConnection,
    nullable: false,
    description: 'The links by which organisations pay the platform, for platform admins.',
    authScopes: { platformAdmin: true },
    args: {
      ...pageArgs(t.arg),
      organizationId: t.arg.id({ description: 'Only of this organisation.' }),
    },
    complexity: pageCost,
    resolve: async (_root, { organizationId, ...page }, { context }) => {
      const payer = organizationId == null ? undefined : uuidOf('Organization', organizationId);
      return connectionOfPage(await billingLinksPage(context, page, payer), page);
    },
  }),
);

mutation({
  name: 'gatewayLinkCreate',
  description: `Makes a payment link. ${ORIGIN}`,
  access: 'owner',
  idempotency: 'required',
  input: t => ({
    amount: t.field({ type: 'Decimal', required: true, description: 'What is to be paid.' }),
    currency: t.field({ type: 'CurrencyCode', description: 'Its currency; INR unless said.' }),
    purpose: t.string({ required: true, description: 'What is paid for.' }),
    customer: t.field({ type: CustomerInput, required: true, description: 'Who is to pay.' }),
    minimumPartialAmount: t.field({
      type: 'Decimal',
      description: 'With it parts are taken, none below it.',
    }),
    notes: t.field({ type: [TagInput], description: 'At most 4: a fifth is ours.' }),
    expiresAt: t.field({ type: 'DateTime', description: 'Until when; 30 days unless said.' }),
    returnUrl: t.string({ description: 'Where the payer comes back to.' }),
    isSentBySms: t.boolean({ description: 'Whether the gateway sends it to the phone.' }),
    isSentByEmail: t.boolean({ description: 'Whether the gateway sends it by email.' }),
  }),
  contract: gatewayLinkCreateContract,
  codes: [...FAULT_CODES, 'IDEMPOTENCY_KEY_MISMATCH'],
  process: gatewayLinkCreate,
  payload: t => ({
    gatewayLink: t.field({
      type: GatewayLinkRef,
      description: 'The link.',
      resolve: ({ result }, _args, graph) => result && linkById(graph, result.id),
    }),
  }),
});

mutation({
  name: 'gatewayLinkCancel',
  description: 'Cancels a payment link: nobody pays it any more. Again, it changes nothing.',
  access: 'owner',
  target: GatewayLinkRef,
  contract: gatewayLinkCancelContract,
  codes: [...FAULT_CODES, 'NOT_FOUND', 'GATEWAY_STATUS'],
  process: gatewayLinkCancel,
  payload: t => ({
    gatewayLink: t.field({
      type: GatewayLinkRef,
      description: 'The link as it is now.',
      resolve: ({ result }, _args, graph) => result && linkById(graph, result.id),
    }),
  }),
});

mutation({
  name: 'billingLinkCreate',
  description: `Makes a link by which an organisation pays the platform, for platform admins. What is paid by it earns the payer’s referrer their reward. ${ORIGIN}`,
  access: 'platformAdmin',
  idempotency: 'required',
  input: t => ({
    organizationId: t.globalID({ required: true, description: 'Who is to pay it.' }),
    amount: t.field({ type: 'Decimal', required: true, description: 'What is to be paid.' }),
    currency: t.field({ type: 'CurrencyCode', description: 'Its currency; INR unless said.' }),
    purpose: t.string({ required: true, description: 'What is paid for, such as an invoice.' }),
    customer: t.field({ type: CustomerInput, required: true, description: 'Who is asked.' }),
    notes: t.field({ type: [TagInput], description: 'At most 4.' }),
    expiresAt: t.field({ type: 'DateTime', description: 'Until when; 30 days unless said.' }),
    returnUrl: t.string({ description: 'Where the payer comes back to.' }),
  }),
  contract: billingLinkCreateContract,
  codes: [...FAULT_CODES, 'NOT_FOUND', 'IDEMPOTENCY_KEY_MISMATCH'],
  process: billingLinkCreate,
  payload: t => ({
    gatewayLink: t.field({
      type: GatewayLinkRef,
      description: 'The link.',
      resolve: ({ result }, _args, graph) => result && billingLinkById(graph, result.id),
    }),
  }),
});
