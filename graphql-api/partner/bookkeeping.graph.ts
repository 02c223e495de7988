// What platform admins say and see of invoices, payments and the ledger as a whole.

import { builder } from '../platform/graph/builder.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { mutation, type PayloadFields } from '../platform/graph/mutation.ts';
import { encodeNodeId, uuidOf } from '../platform/graph/node-id.ts';
import { EarningRef } from './earning.graph.ts';
import type { Discrepancy } from './ledger/reconcile.ts';
import {
  chargebackRecordContract,
  invoiceRegisterContract,
  paymentRecordContract,
  refundRecordContract,
} from './partner-admin.contract.ts';
import { discrepancies, platformEarningsByIds } from './platform-wallet.reads.ts';
import {
  chargebackRecord,
  invoiceRegister,
  paymentRecord,
  type Recorded,
  refundRecord,
} from './record-by-hand.ts';

const ChannelEnum = builder.enumType('InvoiceChannel', {
  description: 'A channel whose costs an invoice passes on.',
  values: {
    SMS: { description: 'SMS.' },
    MESSAGING_APP: { description: 'A messaging app.' },
    RCS: { description: 'RCS.' },
    EMAIL: { description: 'An e-mail gateway.' },
  },
});

mutation({
  name: 'invoiceRegister',
  description:
    'Says what an invoice of the platform is, for platform admins: what was set aside for it is captured where it matches, else comes back. The same again changes nothing.',
  access: 'platformAdmin',
  input: t => ({
    organizationId: t.globalID({ required: true, description: 'Who is to pay it.' }),
    invoiceId: t.string({ required: true, description: 'Its number.' }),
    total: t.field({ type: 'Decimal', required: true, description: 'Its total.' }),
    currency: t.field({ type: 'CurrencyCode', required: true, description: 'Its currency.' }),
    channel: t.field({
      type: ChannelEnum,
      description: 'Where it passes on a channel’s costs; no credits are redeemed on it then.',
    }),
  }),
  contract: invoiceRegisterContract,
  codes: ['NOT_FOUND', 'INVOICE_ALREADY_REGISTERED'],
  action: invoiceRegister,
  payload: t => ({
    invoiceId: t.string({
      description: 'The invoice’s number.',
      resolve: ({ result }) => result?.id,
    }),
  }),
});

const PaymentOutcomeEnum = builder.enumType('PaymentOutcome', {
  description: 'What a payment brought its payer’s referrer.',
  values: {
    EARNED: { description: 'An earning.' },
    NO_REFERRER: { description: 'Nothing: nobody referred the payer.' },
    NOT_FIRST: { description: 'Nothing: only the first payment earns credits.' },
    TERM_OVER: { description: 'Nothing: the payer has been a customer for too long.' },
    TOO_SMALL: { description: 'Nothing: its part would be less than the smallest unit.' },
    OTHER_CURRENCY: {
      description:
        'Nothing: it is not in the referrer’s currency. It uses nothing up: the first payment in that currency counts as the first.',
    },
  },
});

const earningById = loaderById(platformEarningsByIds);

const recorded = (t: PayloadFields<Recorded>) => ({
  outcome: t.field({
    type: PaymentOutcomeEnum,
    description: 'What the payment brought its payer’s referrer; null while it is not known.',
    resolve: ({ result }) => result?.outcome,
  }),
  earning: t.field({
    type: EarningRef,
    description: 'That, as it is now.',
    resolve: ({ result }, _args, graph) =>
      result?.earningId == null ? null : earningById(graph, result.earningId),
  }),
});

const DEVELOPMENT = 'For platform admins, in development: in production the gateway says it.';
const PAYMENT_ID = 'The gateway’s id of the payment; the same again changes nothing.';

mutation({
  name: 'paymentRecord',
  description: `A payment to the platform cleared. ${DEVELOPMENT}`,
  access: 'platformAdmin',
  input: t => ({
    paymentId: t.string({ required: true, description: PAYMENT_ID }),
    organizationId: t.globalID({ required: true, description: 'Who paid.' }),
    amount: t.field({ type: 'Decimal', required: true, description: 'How much.' }),
    currency: t.field({ type: 'CurrencyCode', required: true, description: 'In what.' }),
    clearedAt: t.field({ type: 'DateTime', description: 'When it cleared; now unless said.' }),
  }),
  contract: paymentRecordContract,
  codes: ['NOT_FOUND', 'PAYMENT_MISMATCH', 'RECORDED_BY_GATEWAY'],
  action: paymentRecord,
  payload: recorded,
});

mutation({
  name: 'refundRecord',
  description: `A part of a payment, or all of it, was refunded. ${DEVELOPMENT}`,
  access: 'platformAdmin',
  input: t => ({
    refundId: t.string({ required: true, description: 'The gateway’s id of the refund.' }),
    paymentId: t.string({ required: true, description: 'Of which payment.' }),
    amount: t.field({ type: 'Decimal', required: true, description: 'Of this refund alone.' }),
  }),
  contract: refundRecordContract,
  codes: ['NOT_FOUND', 'PAYMENT_MISMATCH', 'RECORDED_BY_GATEWAY'],
  action: refundRecord,
  payload: recorded,
});

mutation({
  name: 'chargebackRecord',
  description: `A payment is disputed, or the dispute was won. ${DEVELOPMENT}`,
  access: 'platformAdmin',
  input: t => ({
    chargebackId: t.string({ required: true, description: 'The gateway’s id of the dispute.' }),
    paymentId: t.string({ required: true, description: 'Of which payment.' }),
    isWon: t.boolean({ description: 'Whether the merchant won it; else it is open or lost.' }),
  }),
  contract: chargebackRecordContract,
  codes: ['PAYMENT_MISMATCH', 'RECORDED_BY_GATEWAY'],
  action: chargebackRecord,
  payload: recorded,
});

const DiscrepancyRef = builder.objectRef<Discrepancy>('Discrepancy').implement({
  description:
    'Where the ledger, and what its postings are about, disagree: a defect, or somebody’s hand.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    check: t.exposeString('check', { nullable: false, description: 'What was asked.' }),
    organizationId: t.id({
      description: 'Whose money it is; null for the platform’s.',
      resolve: ({ organizationId }) =>
        organizationId && encodeNodeId('Organization', organizationId),
    }),
    subject: t.exposeString('subject', {
      nullable: false,
      description: 'The transaction, account, earning or invoice.',
    }),
    expectedMinor: t.string({
      nullable: false,
      description: 'What it should be, in minor units.',
      resolve: ({ expectedMinor }) => String(expectedMinor),
    }),
    actualMinor: t.string({
      nullable: false,
      description: 'What it is.',
      resolve: ({ actualMinor }) => String(actualMinor),
    }),
  }),
});

/** It reads the ledger from one end to the other. */
const RECONCILIATION_COST = 500;

builder.queryField('reconciliation', t =>
  t.field({
    type: [DiscrepancyRef],
    nullable: false,
    description:
      'Checks the ledger against what its postings are about, for platform admins; empty when all is well.',
    authScopes: { platformAdmin: true },
    args: { organizationId: t.arg.id({ description: 'Only of this organisation.' }) },
    complexity: RECONCILIATION_COST,
    resolve: async (_root, { organizationId }, { context }) => [
      ...(await discrepancies(
        context,
        organizationId ? uuidOf('Organization', organizationId) : undefined,
      )),
    ],
  }),
);
