import type { ObjectRef } from '@pothos/core';
import type { SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, linked, memberNode } from '../platform/graph/fields.ts';
import { loaderBy, loaderById } from '../platform/graph/loader.ts';
import { money } from '../platform/graph/money.ts';
import { changedObject, mutation } from '../platform/graph/mutation.ts';
import { uuidOf } from '../platform/graph/node-id.ts';
import { creditReschedule } from './credit.reschedule.ts';
import type { Earning } from './earning.entity.ts';
import { earnings, platformEarnings } from './earning.reads.ts';
import { organizationFields } from './organization-name.ts';
import { creditRescheduleContract } from './partner-admin.contract.ts';
import { ReferralRef } from './referral.graph.ts';
import { referralsByReferees } from './referral.reads.ts';

const EarningKindEnum = describedEnum('EarningKind', 'The kind of reward that a payment earned.', {
  CREDIT: 'Credits, which are held before they become available.',
  COMMISSION: 'Cash, which can be paid out once it has been held long enough.',
});

const EarningStatusEnum = describedEnum('EarningStatus', 'The status of an earning.', {
  PENDING: 'The earning is a credit that is still held.',
  VOIDED: 'The earning was clawed back in full while it was held.',
  AVAILABLE: 'The earning is part of the wallet balance.',
  CLAWED_BACK: 'The earning was clawed back in full after it became available.',
});

const earningById = loaderById(earnings.byIds);
const platformEarningById = loaderById(platformEarnings.byIds);
const referralByReferee = loaderBy(referralsByReferees, referral => referral.refereeOrganizationId);

export const EarningRef: ObjectRef<SchemaTypes, Earning> = memberNode('Earning', earningById, {
  description:
    'The referrer’s reward for a payment by a referred organization, under the program terms in effect at the time.',
  fields: t => ({
    ...organizationFields(t, 'The ID of the organization that earned the reward.'),
    ...expose(t, EarningKindEnum, { kind: 'Whether the reward consists of credits or cash.' }),
    ...expose(t, EarningStatusEnum, { status: 'The status of the earning.' }),
    amount: money(t, 'amountMinor', { description: 'The amount earned, before clawbacks.' }),
    clawedBack: money(t, 'clawedMinor', {
      description: 'The amount clawed back after refunds and chargebacks.',
    }),
    ...expose(t, 'Int!', { rateBps: 'The reward rate applied to the payment, in basis points.' }),
    releaseDate: t.expose('releaseOn', {
      type: 'Date',
      description:
        'The day on which the credit is released, at 02:00 UTC. If the payment is reported after that time, the next daily run releases the credit. Null for a commission.',
    }),
    ...expose(t, 'DateTime', {
      releasedAt:
        'When the reward was added to the wallet balance; null if it is still held or was voided.',
      eligibleAt: 'When the commission becomes eligible for payout; null for credits.',
    }),
    referral: linked(
      t,
      'refereeOrganizationId',
      ReferralRef,
      referralByReferee,
      'The referral whose payment earned the reward; null if the viewer cannot see the referral.',
    ),
    ...expose(t, 'DateTime!', { createdAt: 'When the reward was earned.' }),
  }),
});

const EarningConnection = connectionType('Earning', EarningRef);

pageQuery('earnings', {
  type: EarningConnection,
  description: 'The earnings of the viewer’s organization.',
  args: arg => ({ status: arg({ type: EarningStatusEnum, description: 'Filters by status.' }) }),
  page: (context, page, { status }) => earnings.page(context, page, status ? { status } : {}),
});

pageQuery('platformEarnings', {
  type: EarningConnection,
  description: 'The earnings of all organizations. Platform admins only.',
  access: 'platformAdmin',
  args: arg => ({
    status: arg({ type: EarningStatusEnum, description: 'Filters by status.' }),
    organizationId: arg.id({ description: 'Filters by organization.' }),
  }),
  page: (context, page, { status, organizationId }) =>
    platformEarnings.page(context, page, {
      ...(status && { status }),
      ...(organizationId && { organizationId: uuidOf('Organization', organizationId) }),
    }),
});

mutation({
  name: 'creditReschedule',
  description:
    'Changes the release day of a held credit. If the new day is not in the future, the next daily run releases the credit. Platform admins only.',
  access: 'platformAdmin',
  target: EarningRef,
  input: t => ({
    releaseDate: t.field({
      type: 'Date',
      required: true,
      description: 'The UTC day on which the credit becomes available.',
    }),
    reason: t.string({
      required: true,
      description: 'The reason for the change. Recorded in the audit log.',
    }),
  }),
  contract: creditRescheduleContract,
  codes: ['NOT_FOUND', 'CREDIT_STATUS'],
  action: creditReschedule,
  payload: changedObject('earning', EarningRef, platformEarningById, 'The updated earning.'),
});
