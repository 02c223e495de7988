// Invoices, payments and the ledger as a whole, for platform admins.

import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { builder } from '../platform/graph/builder.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { mutation, type PayloadFields } from '../platform/graph/mutation.ts';
import { encodeNodeId, uuidOf } from '../platform/graph/node-id.ts';
import { EarningRef } from './earning.graph.ts';
import { platformEarnings } from './earning.reads.ts';
import { invoiceRegister } from './invoice.register.ts';
import { type Discrepancy, reconcile } from './ledger/reconcile.ts';
import {
  chargebackRecordContract,
  invoiceRegisterContract,
  paymentRecordContract,
  refundRecordContract,
} from './partner-admin.contract.ts';
import { chargebackRecord, paymentRecord, type Recorded, refundRecord } from './record-by-hand.ts';

const ChannelEnum = describedEnum(
  'InvoiceChannel',
  'A channel whose costs a passthrough invoice passes on to the customer.',
  {
    SMS: 'SMS text messages.',
    MESSAGING_APP: 'A messaging app.',
    RCS: 'RCS messages.',
    EMAIL: 'Email.',
  },
);

mutation({
  name: 'invoiceRegister',
  description:
    'Registers an invoice issued by the platform. Reserved credits are captured if the reservation matches the invoice and released if it does not. Idempotent. Platform admins only.',
  access: 'platformAdmin',
  input: t => ({
    organizationId: t.globalID({
      required: true,
      description: 'The ID of the organization that pays the invoice.',
    }),
    invoiceId: t.string({ required: true, description: 'The invoice number.' }),
    total: t.field({ type: 'Decimal', required: true, description: 'The invoice total.' }),
    currency: t.field({
      type: 'CurrencyCode',
      required: true,
      description: 'The currency of the invoice.',
    }),
    channel: t.field({
      type: ChannelEnum,
      description:
        'The channel whose costs a passthrough invoice passes on to the customer; null for any other invoice. Credits cannot be used to pay a passthrough invoice.',
    }),
  }),
  contract: invoiceRegisterContract,
  codes: ['NOT_FOUND', 'INVOICE_ALREADY_REGISTERED'],
  action: invoiceRegister,
  payload: t => ({
    invoiceId: t.string({
      description: 'The invoice number.',
      resolve: ({ result }) => result?.id,
    }),
  }),
});

const PaymentOutcomeEnum = describedEnum(
  'PaymentOutcome',
  'Whether a payment earned a reward for the payer’s referrer and, if not, why.',
  {
    EARNED: 'The payment earned a reward.',
    NO_REFERRER: 'No reward: the payer has no referrer.',
    NOT_FIRST: 'No reward: only the first payment earns credits.',
    TERM_OVER: 'No reward: the period in which the payer’s payments earn commission has ended.',
    TOO_SMALL: 'No reward: the reward would be less than the smallest unit of the currency.',
    OTHER_CURRENCY:
      'No reward: the payment is not in the referrer’s currency. It does not count as the payer’s first payment.',
  },
);

const earningById = loaderById(platformEarnings.byIds);

const recorded = (t: PayloadFields<Recorded>) => ({
  outcome: t.field({
    type: PaymentOutcomeEnum,
    description:
      'Whether the payment earned a reward; null if the payment has not been recorded yet.',
    resolve: ({ result }) => result?.outcome,
  }),
  earning: t.field({
    type: EarningRef,
    description: 'The earning from the payment; null if the payment earned no reward.',
    resolve: ({ result }, _args, graph) =>
      result?.earningId == null ? null : earningById(graph, result.earningId),
  }),
});

const DEVELOPMENT =
  'Platform admins only, and only in development: in production, payments, refunds and disputes are recorded from gateway events.';
const PAYMENT_ID =
  'The gateway’s ID for the payment. Recording the same payment again has no effect.';

mutation({
  name: 'paymentRecord',
  description: `Records a cleared payment to the platform. ${DEVELOPMENT}`,
  access: 'platformAdmin',
  input: t => ({
    paymentId: t.string({ required: true, description: PAYMENT_ID }),
    organizationId: t.globalID({
      required: true,
      description: 'The ID of the organization that paid.',
    }),
    amount: t.field({ type: 'Decimal', required: true, description: 'The amount paid.' }),
    currency: t.field({
      type: 'CurrencyCode',
      required: true,
      description: 'The currency of the payment.',
    }),
    clearedAt: t.field({
      type: 'DateTime',
      description: 'When the payment cleared. Defaults to now.',
    }),
  }),
  contract: paymentRecordContract,
  codes: ['NOT_FOUND', 'PAYMENT_MISMATCH', 'RECORDED_BY_GATEWAY'],
  action: paymentRecord,
  payload: recorded,
});

mutation({
  name: 'refundRecord',
  description: `Records a full or partial refund of a payment. ${DEVELOPMENT}`,
  access: 'platformAdmin',
  input: t => ({
    refundId: t.string({ required: true, description: 'The gateway’s ID for the refund.' }),
    paymentId: t.string({ required: true, description: 'The gateway’s ID for the payment.' }),
    amount: t.field({
      type: 'Decimal',
      required: true,
      description: 'The amount of this refund, excluding earlier refunds of the payment.',
    }),
  }),
  contract: refundRecordContract,
  codes: ['NOT_FOUND', 'PAYMENT_MISMATCH', 'RECORDED_BY_GATEWAY'],
  action: refundRecord,
  payload: recorded,
});

mutation({
  name: 'chargebackRecord',
  description: `Records a payment dispute, or records that the merchant won it. ${DEVELOPMENT}`,
  access: 'platformAdmin',
  input: t => ({
    chargebackId: t.string({ required: true, description: 'The gateway’s ID for the dispute.' }),
    paymentId: t.string({ required: true, description: 'The gateway’s ID for the payment.' }),
    isWon: t.boolean({
      description:
        'Whether the merchant won the dispute. If false or omitted, the dispute is open or lost.',
    }),
  }),
  contract: chargebackRecordContract,
  codes: ['PAYMENT_MISMATCH', 'RECORDED_BY_GATEWAY'],
  action: chargebackRecord,
  payload: recorded,
});

const DiscrepancyRef = builder.objectRef<Discrepancy>('Discrepancy').implement({
  description:
    'A discrepancy between the ledger and the records that its postings refer to. It indicates a software defect or a manual change to the database.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    ...expose(t, 'String!', {
      check: 'The name of the check that failed.',
      subject: 'The transaction, account, earning or invoice for which the check failed.',
    }),
    organizationId: t.id({
      description: 'The ID of the organization whose records are affected.',
      resolve: ({ organizationId }) =>
        organizationId && encodeNodeId('Organization', organizationId),
    }),
    expectedMinor: t.string({
      nullable: false,
      description: 'The expected amount, in minor units.',
      resolve: ({ expectedMinor }) => String(expectedMinor),
    }),
    actualMinor: t.string({
      nullable: false,
      description: 'The actual amount, in minor units.',
      resolve: ({ actualMinor }) => String(actualMinor),
    }),
  }),
});

/** The check reads the whole ledger. */
const RECONCILIATION_COST = 500;

builder.queryField('reconciliation', t =>
  t.field({
    type: [DiscrepancyRef],
    nullable: false,
    description:
      'Checks the ledger against the records that its postings refer to. Returns an empty list if they agree. Platform admins only.',
    authScopes: { platformAdmin: true },
    args: { organizationId: t.arg.id({ description: 'Filters by organization.' }) },
    complexity: RECONCILIATION_COST,
    resolve: (_root, { organizationId }, { context }) => {
      const id = organizationId ? uuidOf('Organization', organizationId) : undefined;
      return readAcrossTenants(context, em => reconcile(em, id));
    },
  }),
);
