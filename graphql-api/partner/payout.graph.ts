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
import { encodeNodeId, uuidOf } from '../platform/graph/node-id.ts';
import { payoutRequest } from './in-main-units.ts';
import { organizationName } from './organization-name.ts';
import { payouts } from './own-wallet.reads.ts';
import { payoutAdvanceContract, payoutBulkAdvanceContract } from './partner-admin.contract.ts';
import { payoutAdvance, payoutBulkAdvance } from './payout.advance-action.ts';
import { Payout } from './payout.entity.ts';
import { platformPayoutsByIds, platformPayoutsPage } from './platform-wallet.reads.ts';
import { PAYOUT_STATUSES, payoutRequestContract } from './wallet.contract.ts';

type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

const STATUSES: Readonly<Record<PayoutStatus, string>> = {
  REQUESTED: 'Asked for.',
  PROCESSING: 'With the bank; also while nobody knows what became of it.',
  PAID: 'The bank has paid it.',
  REJECTED: 'Refused before it went to the bank; the cash is back.',
  FAILED: 'The bank did not pay it; the cash is back.',
  REVERSED: 'The bank sent it back after it was paid; the cash is back.',
};

function statusEnum<S extends PayoutStatus>(
  name: string,
  description: string,
  statuses: readonly S[],
) {
  const values = Object.fromEntries(
    statuses.map(status => [status, { description: STATUSES[status] }]),
  ) as Record<S, { description: string }>;
  return builder.enumType(name, { description, values });
}

const PayoutStatusEnum = statusEnum('PayoutStatus', 'How far a payout came.', PAYOUT_STATUSES);

type Step = Exclude<PayoutStatus, 'REQUESTED'>;

const PayoutStepEnum = statusEnum<Step>(
  'PayoutStep',
  'What may become of a payout: REQUESTED to PROCESSING or REJECTED, PROCESSING to PAID or FAILED, PAID to REVERSED.',
  PAYOUT_STATUSES.filter(status => status !== 'REQUESTED'),
);

const payoutById = loaderById(payouts.byIds);
const platformPayoutById = loaderById(platformPayoutsByIds);

const PayoutRef: ObjectRef<SchemaTypes, Payout> = builder.node(Payout, {
  name: 'Payout',
  description: 'Cash that was asked for. Gross, tax and net are fixed at that moment.',
  authScopes: { member: true },
  id: { resolve: payout => payout.id },
  loadOne: (id, graph) => payoutById(graph, id),
  fields: t => ({
    organizationId: t.id({
      nullable: false,
      description: 'Whose it is.',
      resolve: ({ organizationId }) => encodeNodeId('Organization', organizationId),
    }),
    organizationName: organizationName(t),
    status: t.field({
      type: PayoutStatusEnum,
      nullable: false,
      description: 'How far it came.',
      resolve: ({ status }) => status,
    }),
    gross: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'What was asked for.',
      resolve: ({ grossMinor, currency }) => ({ amountMinor: grossMinor, currencyCode: currency }),
    }),
    taxRateBps: t.exposeInt('taxRateBps', {
      nullable: false,
      description: 'What is deducted, in basis points: 200 is 2 %.',
    }),
    tax: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'Deducted.',
      resolve: ({ taxMinor, currency }) => ({ amountMinor: taxMinor, currencyCode: currency }),
    }),
    net: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'What the bank is sent.',
      resolve: ({ netMinor, currency }) => ({ amountMinor: netMinor, currencyCode: currency }),
    }),
    bankReference: t.exposeString('bankReference', { description: 'The bank’s, once paid.' }),
    reason: t.exposeString('reason', { description: 'Why it came to nothing.' }),
    processingAt: t.expose('processingAt', {
      type: 'DateTime',
      description: 'When it went to the bank.',
    }),
    paidAt: t.expose('paidAt', { type: 'DateTime', description: 'When it was paid.' }),
    closedAt: t.expose('closedAt', {
      type: 'DateTime',
      description: 'When it was rejected, failed or came back.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was asked for.',
    }),
  }),
});

const PayoutConnection = connectionType('Payout', PayoutRef);

builder.queryField('payouts', t =>
  t.field({
    type: PayoutConnection,
    nullable: false,
    description: 'The payouts of the viewer’s organisation.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      status: t.arg({ type: PayoutStatusEnum, description: 'Only those.' }),
    },
    complexity: pageCost,
    resolve: async (_root, { status, ...page }, { context }) =>
      connectionOfPage(await payouts.page(context, page, status ? { status } : {}), page),
  }),
);

builder.queryField('platformPayouts', t =>
  t.field({
    type: PayoutConnection,
    nullable: false,
    description: 'The payouts of everybody, for platform admins.',
    authScopes: { platformAdmin: true },
    args: {
      ...pageArgs(t.arg),
      status: t.arg({ type: PayoutStatusEnum, description: 'Only those.' }),
      organizationId: t.arg.id({ description: 'Only of this organisation.' }),
    },
    complexity: pageCost,
    resolve: async (_root, { status, organizationId, ...page }, { context }) => {
      const filter = {
        ...(status && { status }),
        ...(organizationId && { organizationId: uuidOf('Organization', organizationId) }),
      };
      return connectionOfPage(await platformPayoutsPage(context, page, filter), page);
    },
  }),
);

mutation({
  name: 'payoutRequest',
  description:
    'Asks for cash; it takes an approved KYC, the minimum of the terms, the balance, and cash that is old enough.',
  access: 'owner',
  idempotency: 'required',
  input: t => ({
    requestedAmount: t.field({ type: 'Decimal', required: true, description: 'Before tax.' }),
  }),
  contract: payoutRequestContract,
  codes: ['KYC_NOT_APPROVED', 'BELOW_MIN_THRESHOLD', 'INSUFFICIENT_BALANCE', 'NET30_GUARDRAIL'],
  action: payoutRequest,
  payload: t => ({
    payout: t.field({
      type: PayoutRef,
      description: 'The payout.',
      resolve: ({ result }, _args, graph) => result && payoutById(graph, result.id),
    }),
  }),
});

type InputFields = PothosSchemaTypes.InputFieldBuilder<SchemaTypes, 'InputObject'>;

const stepInput = (t: InputFields) => ({
  to: t.field({ type: PayoutStepEnum, required: true, description: 'What became of it.' }),
  bankReference: t.string({ description: 'The bank’s; for PAID only, and needed there.' }),
  reason: t.string({ description: 'For REJECTED, FAILED and REVERSED, and needed there.' }),
});

mutation({
  name: 'payoutAdvance',
  description:
    'Says what became of a payout, for platform admins; the ledger follows. It goes to the bank only while the KYC is approved. The same again changes nothing.',
  access: 'platformAdmin',
  target: PayoutRef,
  input: stepInput,
  contract: payoutAdvanceContract,
  codes: ['NOT_FOUND', 'PAYOUT_STATUS', 'KYC_NOT_APPROVED'],
  action: payoutAdvance,
  payload: t => ({
    payout: t.field({
      type: PayoutRef,
      description: 'The payout as it is now.',
      resolve: ({ result }, _args, graph) => result && platformPayoutById(graph, result.id),
    }),
  }),
});

const PayoutAdvanceItem = builder.inputType('PayoutAdvanceItem', {
  description: 'What became of one of several payouts.',
  fields: t => ({
    id: t.globalID({ required: true, description: 'Which payout.' }),
    ...stepInput(t),
  }),
});

mutation({
  name: 'payoutBulkAdvance',
  description:
    'Says what became of up to 100 payouts, for platform admins: of all of them, or of none where one is refused.',
  access: 'platformAdmin',
  input: t => ({
    payouts: t.field({
      type: [PayoutAdvanceItem],
      required: true,
      description: 'At most 100, each once.',
    }),
  }),
  contract: payoutBulkAdvanceContract,
  codes: ['NOT_FOUND', 'PAYOUT_STATUS', 'KYC_NOT_APPROVED'],
  action: payoutBulkAdvance,
  payload: t => ({
    payouts: t.field({
      type: [PayoutRef],
      description: 'The payouts as they are now.',
      complexity: { field: 1, multiplier: 100 },
      resolve: async ({ result }, _args, graph) => {
        if (result === undefined) return null;
        const found = await Promise.all(result.ids.map(id => platformPayoutById(graph, id)));
        return found.filter(payout => payout !== null);
      },
    }),
  }),
});
