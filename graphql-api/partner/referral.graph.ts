import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, memberNode, memberObject } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { PartnerStatusEnum } from './affiliate.graph.ts';
import { UPGRADE_THRESHOLD } from './affiliate.upgrade.ts';
import { ProgramTermsRef } from './program-terms.graph.ts';
import { ownTerms, partnerStatus } from './program-terms.reads.ts';
import { type Attributed, attributeReferral } from './referral.attribute.ts';
import { referralAttributeContract } from './referral.contract.ts';
import { ensureReferralCode } from './referral.ensure-code.ts';
import type { RefereeRelation } from './referral.entity.ts';
import {
  earnedByReferrals,
  hasPaidInOtherCurrencyOnly,
  inState,
  type ReferralCounts,
  referralCounts,
  referralStateOf,
  referrals,
} from './referral.reads.ts';

const ReferralStateEnum = describedEnum('ReferralState', 'The state of a referral.', {
  SIGNED_UP: 'The organization signed up but has not paid.',
  ACTIVE: 'The organization has at least one cleared payment that was not charged back.',
  INACTIVE: 'The organization has paid, but all its payments were charged back.',
});

const referralById = loaderById(referrals.byIds);
const earnedByReferral = loaderById(earnedByReferrals);

export const ReferralRef: ObjectRef<SchemaTypes, RefereeRelation> = memberNode(
  'Referral',
  referralById,
  {
    description:
      'An organization that signed up with the viewer’s referral code. Its identity is not disclosed.',
    fields: t => ({
      state: t.field({
        type: ReferralStateEnum,
        nullable: false,
        description: 'The state of the referral.',
        resolve: referralStateOf,
      }),
      earned: t.field({
        type: MoneyRef,
        nullable: false,
        description:
          'The amount that the viewer’s organization earned from the referral, net of clawbacks.',
        resolve: async ({ id }, _args, graph) => ({
          amountMinor: (await earnedByReferral(graph, id))?.earnedMinor ?? 0n,
          currencyCode: (await ownTerms(graph.context)).currency,
        }),
      }),
      ...expose(t, 'DateTime', {
        firstPaidAt: 'When the organization’s first payment cleared; null if it has not paid.',
      }),
      ...expose(t, 'DateTime!', {
        createdAt: 'When the organization was attributed to the referral code.',
      }),
      hasPaidInOtherCurrencyOnly: t.boolean({
        nullable: false,
        description:
          'Whether the organization has paid only in currencies other than the program’s; such payments earn nothing. For rewards, the first payment in the program’s currency is treated as the organization’s first payment.',
        resolve: hasPaidInOtherCurrencyOnly,
      }),
    }),
  },
);

const ReferralConnection = connectionType('Referral', ReferralRef);

pageQuery('referrals', {
  type: ReferralConnection,
  description: 'The referrals of the viewer’s organization.',
  args: arg => ({ state: arg({ type: ReferralStateEnum, description: 'Filters by state.' }) }),
  page: (context, page, { state }) => referrals.page(context, page, inState(state)),
});

const ReferralProgramRef = memberObject<ReferralCounts>('ReferralProgram', {
  description:
    'The referral code, the referral counts and the program terms of the viewer’s organization.',
  fields: t => ({
    code: t.string({
      nullable: false,
      description: 'The referral code. It is created when it is first queried.',
      resolve: (_counts, _args, { context }) => ensureReferralCode(context),
    }),
    partnerStatus: t.field({
      type: PartnerStatusEnum,
      nullable: false,
      description: 'The organization’s status in the partner program.',
      resolve: (_counts, _args, { context }) => partnerStatus(context),
    }),
    referralsCount: t.int({
      nullable: false,
      description: 'The number of referrals in any state.',
      resolve: ({ total }) => total,
    }),
    paidReferralsCount: t.int({
      nullable: false,
      description:
        'The number of referrals that have paid, including those whose payments were all charged back.',
      resolve: ({ ACTIVE, INACTIVE }) => ACTIVE + INACTIVE,
    }),
    activeReferralsCount: t.int({
      nullable: false,
      description:
        'The number of referrals with at least one cleared payment that was not charged back.',
      resolve: ({ ACTIVE }) => ACTIVE,
    }),
    upgradeThreshold: t.int({
      nullable: false,
      description: 'The number of active referrals required to become an affiliate.',
      resolve: () => UPGRADE_THRESHOLD,
    }),
    isUpgradeEligible: t.boolean({
      nullable: false,
      description: 'Whether the organization has enough active referrals to become an affiliate.',
      resolve: ({ ACTIVE }) => ACTIVE >= UPGRADE_THRESHOLD,
    }),
    terms: t.field({
      type: ProgramTermsRef,
      nullable: false,
      description: 'The terms that apply to future payments.',
      resolve: (_counts, _args, { context }) => ownTerms(context),
    }),
  }),
});

builder.queryField('referralProgram', t =>
  t.field({
    type: ReferralProgramRef,
    nullable: false,
    description:
      'The referral code, the referral counts and the program terms of the viewer’s organization.',
    authScopes: { member: true },
    resolve: (_root, _args, { context }) => referralCounts(context),
  }),
);

const AttributionRef = memberObject<Attributed>('Attribution', {
  description: 'The attribution of the viewer’s organization to a referral code.',
  fields: t => ({
    ...expose(t, 'String!', {
      code: 'The referral code: the first valid code that the organization submitted.',
      currency:
        'The currency of the referrer’s program terms. Only payments in this currency earn the referrer a reward; the first of them is treated as the organization’s first payment.',
    }),
    attributedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When the organization was attributed to the code.',
      resolve: ({ attributedAt }) => new Date(attributedAt),
    }),
  }),
});

mutation({
  name: 'referralAttribute',
  description:
    'Attributes the viewer’s organization to a referral code at the end of onboarding. Once a valid code has been submitted, the attribution cannot be changed.',
  access: 'owner',
  input: t => ({
    code: t.string({
      required: true,
      description: 'The referral code: the value of the `service_ref_code` cookie.',
    }),
  }),
  contract: referralAttributeContract,
  codes: ['REFERRAL_CODE_UNKNOWN', 'SELF_REFERRAL', 'ATTRIBUTION_CLOSED'],
  action: attributeReferral,
  payload: t => ({
    attribution: t.field({
      type: AttributionRef,
      description: 'The organization’s attribution to the first valid code that it submitted.',
      resolve: ({ result }) => result,
    }),
  }),
});
