import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, memberNode } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { money } from '../platform/graph/money.ts';
import { changedObject, type InputFields, mutation } from '../platform/graph/mutation.ts';
import { uuidOf } from '../platform/graph/node-id.ts';
import { organizationFields } from './organization-name.ts';
import {
  type PayoutAdvance,
  payoutAdvanceContract,
  payoutBulkAdvanceContract,
} from './partner-admin.contract.ts';
import { payoutAdvance, payoutBulkAdvance } from './payout.advance.ts';
import type { Payout } from './payout.entity.ts';
import { payouts, platformPayouts } from './payout.reads.ts';
import { payoutRequest } from './payout.request.ts';
import { payoutRequestContract } from './wallet.contract.ts';

const STEPS = {
  PROCESSING:
    'The payout was sent to the bank. A payout whose outcome is unknown also stays in this status.',
  PAID: 'The bank completed the payout.',
  REJECTED:
    'The payout was rejected before it was sent to the bank. The cash was returned to the wallet.',
  FAILED: 'The bank did not complete the payout. The cash was returned to the wallet.',
  REVERSED: 'The bank returned the payout after it was paid. The cash was returned to the wallet.',
} satisfies Record<PayoutAdvance['to'], string>;

const PayoutStatusEnum = describedEnum('PayoutStatus', 'The status of a payout.', {
  REQUESTED: 'The partner requested the payout.',
  ...STEPS,
});

const PayoutStepEnum = describedEnum(
  'PayoutStep',
  'The status to move a payout to. A payout can move from REQUESTED to PROCESSING or REJECTED, from PROCESSING to PAID or FAILED, and from PAID to REVERSED.',
  STEPS,
);

const payoutById = loaderById(payouts.byIds);
const platformPayoutById = loaderById(platformPayouts.byIds);

const PayoutRef: ObjectRef<SchemaTypes, Payout> = memberNode('Payout', payoutById, {
  description:
    'A payout requested by a partner. The gross, tax and net amounts are fixed at the time of the request.',
  fields: t => ({
    ...organizationFields(t, 'The ID of the organization that requested the payout.'),
    ...expose(t, PayoutStatusEnum, { status: 'The status of the payout.' }),
    gross: money(t, 'grossMinor', { description: 'The requested amount, before tax.' }),
    ...expose(t, 'Int!', { taxRateBps: 'The tax rate, in basis points: 200 is 2%.' }),
    tax: money(t, 'taxMinor', { description: 'The tax deducted from the gross amount.' }),
    net: money(t, 'netMinor', { description: 'The amount sent to the bank: gross minus tax.' }),
    ...expose(t, 'String', {
      bankReference: 'The bank’s reference for the transfer; null until the payout is paid.',
      reason: 'Why the payout was rejected, failed or was reversed; null otherwise.',
    }),
    ...expose(t, 'DateTime', {
      processingAt: 'When the payout was sent to the bank; null if it has not been sent.',
      paidAt: 'When the payout was paid; null if it has not been paid.',
      closedAt: 'When the payout was rejected, failed or was reversed; null otherwise.',
    }),
    ...expose(t, 'DateTime!', { createdAt: 'When the payout was requested.' }),
  }),
});

const PayoutConnection = connectionType('Payout', PayoutRef);

pageQuery('payouts', {
  type: PayoutConnection,
  description: 'The payouts of the viewer’s organization.',
  args: arg => ({ status: arg({ type: PayoutStatusEnum, description: 'Filters by status.' }) }),
  page: (context, page, { status }) => payouts.page(context, page, status ? { status } : {}),
});

pageQuery('platformPayouts', {
  type: PayoutConnection,
  description: 'The payouts of all organizations. Platform admins only.',
  access: 'platformAdmin',
  args: arg => ({
    status: arg({ type: PayoutStatusEnum, description: 'Filters by status.' }),
    organizationId: arg.id({ description: 'Filters by organization.' }),
  }),
  page: (context, page, { status, organizationId }) =>
    platformPayouts.page(context, page, {
      ...(status && { status }),
      ...(organizationId && { organizationId: uuidOf('Organization', organizationId) }),
    }),
});

mutation({
  name: 'payoutRequest',
  description:
    'Requests a payout of cash. The KYC must be approved, and the amount must be at least the minimum payout. The cash must have been held long enough to be paid out.',
  access: 'owner',
  idempotency: 'required',
  input: t => ({
    requestedAmount: t.field({
      type: 'Decimal',
      required: true,
      description: 'The gross amount, before tax.',
    }),
  }),
  contract: payoutRequestContract,
  codes: ['KYC_NOT_APPROVED', 'BELOW_MIN_THRESHOLD', 'INSUFFICIENT_BALANCE', 'NET30_GUARDRAIL'],
  action: payoutRequest,
  payload: changedObject('payout', PayoutRef, payoutById, 'The payout.'),
});

const stepInput = (t: InputFields) => ({
  to: t.field({
    type: PayoutStepEnum,
    required: true,
    description: 'The status to move the payout to.',
  }),
  bankReference: t.string({
    description: 'The bank’s reference for the transfer. Required for PAID; not allowed otherwise.',
  }),
  reason: t.string({
    description: 'The reason. Required for REJECTED, FAILED and REVERSED; not allowed otherwise.',
  }),
});

mutation({
  name: 'payoutAdvance',
  description:
    'Moves a payout to its next status and posts the change to the ledger. A payout can be moved to PROCESSING only if the KYC is approved. Idempotent. Platform admins only.',
  access: 'platformAdmin',
  target: PayoutRef,
  input: stepInput,
  contract: payoutAdvanceContract,
  codes: ['NOT_FOUND', 'PAYOUT_STATUS', 'KYC_NOT_APPROVED'],
  action: payoutAdvance,
  payload: changedObject('payout', PayoutRef, platformPayoutById, 'The updated payout.'),
});

const PayoutAdvanceItem = builder.inputType('PayoutAdvanceItem', {
  description: 'A status change for one payout.',
  fields: t => ({
    id: t.globalID({ required: true, description: 'The ID of the payout.' }),
    ...stepInput(t),
  }),
});

mutation({
  name: 'payoutBulkAdvance',
  description:
    'Moves up to 100 payouts to their next status. Either all of them are moved or none are. Platform admins only.',
  access: 'platformAdmin',
  input: t => ({
    payouts: t.field({
      type: [PayoutAdvanceItem],
      required: true,
      description: 'The status changes: at most 100, one per payout.',
    }),
  }),
  contract: payoutBulkAdvanceContract,
  codes: ['NOT_FOUND', 'PAYOUT_STATUS', 'KYC_NOT_APPROVED'],
  action: payoutBulkAdvance,
  payload: t => ({
    payouts: t.field({
      type: [PayoutRef],
      description: 'The updated payouts.',
      complexity: { field: 1, multiplier: 100 },
      resolve: async ({ result }, _args, graph) => {
        if (result === undefined) return null;
        const found = await Promise.all(result.ids.map(id => platformPayoutById(graph, id)));
        return found.filter(payout => payout !== null);
      },
    }),
  }),
});
