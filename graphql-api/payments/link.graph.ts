import type { ObjectRef } from '@pothos/core';
import type { SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { expose, memberNode } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { money } from '../platform/graph/money.ts';
import { changedObject, mutation } from '../platform/graph/mutation.ts';
import { encodeNodeId, uuidOf } from '../platform/graph/node-id.ts';
import { FAULT_CODES } from './client/reject-fault.ts';
import { billingLinkCreate, gatewayLinkCancel, gatewayLinkCreate } from './link.actions.ts';
import {
  billingLinkCreateContract,
  gatewayLinkCancelContract,
  gatewayLinkCreateContract,
} from './link.contract.ts';
import type { GatewayLink } from './link.entity.ts';
import { billingLinksByIds, billingLinksPage, gatewayLinks } from './object.reads.ts';
import { CustomerInput, ORIGIN, rowFields, TagInput, TagRef } from './values.graph.ts';

const linkById = loaderById(gatewayLinks.byIds);
const billingLinkById = loaderById(billingLinksByIds);

export const GatewayLinkRef: ObjectRef<SchemaTypes, GatewayLink> = memberNode(
  'GatewayLink',
  linkById,
  {
    description:
      'A payment link, which opens a page where an amount can be paid in full or in partial payments.',
    fields: t => ({
      ...rowFields(t, 'payment link'),
      ...expose(t, 'String!', { linkId: 'The link ID sent to the payment gateway.' }),
      payerOrganizationId: t.id({
        description:
          'The ID of the organization that pays the platform through this link; null for a workspace’s own links.',
        resolve: ({ payerOrganizationId }) =>
          payerOrganizationId && encodeNodeId('Organization', payerOrganizationId),
      }),
      ...expose(t, 'String!', { purpose: 'The purpose of the payment. Visible to the payer.' }),
      amount: money(t, 'amountMinor', { description: 'The amount to be paid.' }),
      amountPaid: money(t, 'amountPaidMinor', { description: 'The amount paid so far.' }),
      minimumPartialAmount: money(t, 'minimumPartialMinor', {
        nullable: true,
        description: 'The minimum partial payment; null if partial payments are not allowed.',
      }),
      url: t.exposeString('linkUrl', {
        description:
          'The URL of the payment page; null until the payment gateway has created the link.',
      }),
      ...expose(t, 'DateTime', { expiresAt: 'When the link expires; null until it is known.' }),
      ...expose(t, [TagRef], {
        notes:
          'The notes that the payment gateway echoes back. For a workspace’s own link, the first note is `workspace_id`, which this service adds.',
      }),
    }),
  },
);

const LinkConnection = connectionType('GatewayLink', GatewayLinkRef);

pageQuery('gatewayLinks', {
  type: LinkConnection,
  description: 'The payment links in the viewer’s workspace.',
  page: gatewayLinks.page,
});

pageQuery('billingLinks', {
  type: LinkConnection,
  description:
    'The payment links that organizations use to pay the platform. Platform admins only.',
  access: 'platformAdmin',
  args: arg => ({
    organizationId: arg.id({ description: 'Filters by paying organization.' }),
  }),
  page: (context, page, { organizationId }) => {
    const payer = organizationId == null ? undefined : uuidOf('Organization', organizationId);
    return billingLinksPage(context, page, payer);
  },
});

mutation({
  name: 'gatewayLinkCreate',
  description: `Creates a payment link. ${ORIGIN}`,
  access: 'owner',
  idempotency: 'required',
  input: t => ({
    amount: t.field({ type: 'Decimal', required: true, description: 'The amount to be paid.' }),
    currency: t.field({ type: 'CurrencyCode', description: 'The currency. Defaults to INR.' }),
    purpose: t.string({
      required: true,
      description: 'The purpose of the payment, at most 500 characters. Visible to the payer.',
    }),
    customer: t.field({
      type: CustomerInput,
      required: true,
      description: 'The customer who pays.',
    }),
    minimumPartialAmount: t.field({
      type: 'Decimal',
      description:
        'The minimum partial payment. Partial payments are allowed only if this field is set.',
    }),
    notes: t.field({
      type: [TagInput],
      description:
        'Up to 4 notes for the payment gateway to echo back. This service adds one more.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'When the link expires. Defaults to 30 days from now.',
    }),
    returnUrl: t.string({
      description: 'The URL to which the payer is redirected after the payment.',
    }),
    isSentBySms: t.boolean({
      description: 'Whether the payment gateway sends the link to the customer by SMS.',
    }),
    isSentByEmail: t.boolean({
      description: 'Whether the payment gateway sends the link to the customer by email.',
    }),
  }),
  contract: gatewayLinkCreateContract,
  codes: [...FAULT_CODES, 'IDEMPOTENCY_KEY_MISMATCH'],
  process: gatewayLinkCreate,
  payload: changedObject('gatewayLink', GatewayLinkRef, linkById, 'The payment link.'),
});

mutation({
  name: 'gatewayLinkCancel',
  description:
    'Cancels a payment link, so that no more payments can be made through it. Idempotent.',
  access: 'owner',
  target: GatewayLinkRef,
  contract: gatewayLinkCancelContract,
  codes: [...FAULT_CODES, 'NOT_FOUND', 'GATEWAY_STATUS'],
  process: gatewayLinkCancel,
  payload: changedObject('gatewayLink', GatewayLinkRef, linkById, 'The updated payment link.'),
});

mutation({
  name: 'billingLinkCreate',
  description: `Creates a payment link through which an organization can pay the platform. Payments made through the link can earn the payer’s referrer a reward. Platform admins only. ${ORIGIN}`,
  access: 'platformAdmin',
  idempotency: 'required',
  input: t => ({
    organizationId: t.globalID({
      required: true,
      description: 'The ID of the organization to bill.',
    }),
    amount: t.field({ type: 'Decimal', required: true, description: 'The amount to be paid.' }),
    currency: t.field({ type: 'CurrencyCode', description: 'The currency. Defaults to INR.' }),
    purpose: t.string({
      required: true,
      description:
        'A description of what the payment is for, such as an invoice number; at most 500 characters.',
    }),
    customer: t.field({
      type: CustomerInput,
      required: true,
      description: 'The person who receives the payment request.',
    }),
    notes: t.field({
      type: [TagInput],
      description: 'Up to 4 notes for the payment gateway to echo back.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'When the link expires. Defaults to 30 days from now.',
    }),
    returnUrl: t.string({
      description: 'The URL to which the payer is redirected after the payment.',
    }),
  }),
  contract: billingLinkCreateContract,
  codes: [...FAULT_CODES, 'NOT_FOUND', 'IDEMPOTENCY_KEY_MISMATCH'],
  process: billingLinkCreate,
  payload: changedObject('gatewayLink', GatewayLinkRef, billingLinkById, 'The payment link.'),
});
