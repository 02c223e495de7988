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
import { UPGRADE_THRESHOLD } from './active-referral.reads.ts';
import { PartnerStatusEnum } from './affiliate.graph.ts';
import { ProgramTermsRef } from './program-terms.graph.ts';
import { ownTerms, partnerStatus } from './program-terms.reads.ts';
import { type Attributed, attributeReferral } from './referral.attribute.ts';
import { referralAttributeContract } from './referral.contract.ts';
import { ensureReferralCode } from './referral.ensure-code.ts';
import { RefereeRelation } from './referral.entity.ts';
import {
  earnedByReferrals,
  hasPaidInOtherCurrencyOnly,
  type ReferralCounts,
  referralCounts,
  referralStateOf,
  referralsByIds,
  referralsPage,
} from './referral.reads.ts';

const ReferralStateEnum = builder.enumType('ReferralState', {
  description: 'How far a referral came.',
  values: {
    SIGNED_UP: { description: 'Has not paid yet.' },
    ACTIVE: { description: 'Has a cleared payment that was not charged back.' },
    INACTIVE: { description: 'All that it paid was charged back.' },
  },
});

export const referralById = loaderById(referralsByIds);
const earnedByReferral = loaderById(earnedByReferrals);

export const ReferralRef: ObjectRef<SchemaTypes, RefereeRelation> = builder.node(RefereeRelation, {
  name: 'Referral',
  description: 'An organisation that came by the viewer’s code. Who it is stays its own affair.',
  authScopes: { member: true },
  id: { resolve: referral => referral.id },
  loadOne: (id, graph) => referralById(graph, id),
  fields: t => ({
    state: t.field({
      type: ReferralStateEnum,
      nullable: false,
      description: 'How far it came.',
      resolve: referralStateOf,
    }),
    earned: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'What it brought, net of clawbacks.',
      resolve: async ({ id }, _args, graph) => ({
        amountMinor: (await earnedByReferral(graph, id))?.earnedMinor ?? 0n,
        currencyCode: (await ownTerms(graph.context)).currency,
      }),
    }),
    firstPaidAt: t.expose('firstPaidAt', {
      type: 'DateTime',
      description: 'When its first payment cleared.',
    }),
    hasPaidInOtherCurrencyOnly: t.boolean({
      nullable: false,
      description:
        'Whether it has paid, but only in currencies other than that of the program, which earns nothing. The first payment in the program’s currency still counts as the first.',
      resolve: hasPaidInOtherCurrencyOnly,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it said by whose code it came.',
    }),
  }),
});

const ReferralConnection = connectionType('Referral', ReferralRef);

builder.queryField('referrals', t =>
  t.field({
    type: ReferralConnection,
    nullable: false,
    description: 'Whom the viewer’s organisation referred.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      state: t.arg({ type: ReferralStateEnum, description: 'Only those.' }),
    },
    complexity: pageCost,
    resolve: async (_root, { state, ...page }, { context }) =>
      connectionOfPage(await referralsPage(context, page, state ?? undefined), page),
  }),
);

const ReferralProgramRef = builder.objectRef<ReferralCounts>('ReferralProgram').implement({
  description: 'How the viewer’s organisation stands in the referral program.',
  authScopes: { member: true },
  fields: t => ({
    code: t.string({
      nullable: false,
      description: 'By which it refers; made when it is first asked for.',
      resolve: (_counts, _args, { context }) => ensureReferralCode(context),
    }),
    partnerStatus: t.field({
      type: PartnerStatusEnum,
      nullable: false,
      description: 'What it is in the program.',
      resolve: (_counts, _args, { context }) => partnerStatus(context),
    }),
    referralsCount: t.int({
      nullable: false,
      description: 'All, whatever became of them.',
      resolve: ({ total }) => total,
    }),
    activeReferralsCount: t.int({
      nullable: false,
      description: 'Those with a cleared payment that was not charged back.',
      resolve: ({ ACTIVE }) => ACTIVE,
    }),
    upgradeThreshold: t.int({
      nullable: false,
      description: 'From how many active ones on it may become an affiliate.',
      resolve: () => UPGRADE_THRESHOLD,
    }),
    isUpgradeEligible: t.boolean({
      nullable: false,
      description: 'Whether it has that many.',
      resolve: ({ ACTIVE }) => ACTIVE >= UPGRADE_THRESHOLD,
    }),
    terms: t.field({
      type: ProgramTermsRef,
      nullable: false,
      description: 'What it is promised for the next payments.',
      resolve: (_counts, _args, { context }) => ownTerms(context),
    }),
  }),
});

builder.queryField('referralProgram', t =>
  t.field({
    type: ReferralProgramRef,
    nullable: false,
    description: 'How the viewer’s organisation stands in the referral program.',
    authScopes: { member: true },
    resolve: (_root, _args, { context }) => referralCounts(context),
  }),
);

const AttributionRef = builder.objectRef<Attributed>('Attribution').implement({
  description: 'By whose code the viewer’s organisation came.',
  authScopes: { member: true },
  fields: t => ({
    code: t.exposeString('code', { nullable: false, description: 'The first valid one.' }),
    attributedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When that was said.',
      resolve: ({ attributedAt }) => new Date(attributedAt),
    }),
    currency: t.exposeString('currency', {
      nullable: false,
      description:
        'The currency of the referrer’s program. A payment in another one earns the referrer nothing; the first payment in this one counts as the first.',
    }),
  }),
});

mutation({
  name: 'referralAttribute',
  description:
    'Says by whose code the viewer’s organisation came, at the end of its onboarding. The first valid code wins, for ever.',
  access: 'owner',
  input: t => ({
    code: t.string({ required: true, description: 'What the cookie service_ref_code held.' }),
  }),
  contract: referralAttributeContract,
  codes: ['REFERRAL_CODE_UNKNOWN', 'SELF_REFERRAL', 'ATTRIBUTION_CLOSED'],
  action: attributeReferral,
  payload: t => ({
    attribution: t.field({
      type: AttributionRef,
      description: 'The one that counts.',
      resolve: ({ result }) => result,
    }),
  }),
});
