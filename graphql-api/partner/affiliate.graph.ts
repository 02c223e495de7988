import { builder } from '../platform/graph/builder.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { affiliateUpgradeContract } from './affiliate.contract.ts';
import { type AffiliateView, affiliateProfile } from './affiliate.reads.ts';
import { affiliateUpgrade } from './affiliate.upgrade.ts';
import { ENTITY_TYPE_NAMES, ENTITY_TYPES } from './entity-types.ts';
import { kycSubmitContract } from './kyc.contract.ts';
import { kycSubmit } from './kyc.submit.ts';

export const PartnerStatusEnum = builder.enumType('PartnerStatus', {
  description: 'What an organisation is in the partner program.',
  values: {
    USER: { description: 'Refers, and earns credits.' },
    AFFILIATE: { description: 'Has an approved KYC, and earns cash.' },
    AGENCY: { description: 'Also registers deals; a platform admin made it one.' },
  },
});

const KycStatusEnum = builder.enumType('KycStatus', {
  description: 'How far an affiliate’s KYC is.',
  values: {
    KYC_PENDING: { description: 'To be submitted, or to be reviewed.' },
    KYC_APPROVED: { description: 'Cash may be paid out.' },
    KYC_REJECTED: { description: 'To be submitted anew; the reason says what to mend.' },
  },
});

export const EntityTypeEnum = builder.enumType('EntityType', {
  description: 'What kind of person or company an affiliate is.',
  values: Object.fromEntries(
    ENTITY_TYPE_NAMES.map(name => [name, { description: ENTITY_TYPES[name].title }]),
  ) as Record<(typeof ENTITY_TYPE_NAMES)[number], { description: string }>,
});

const AffiliateProfileRef = builder.objectRef<AffiliateView>('AffiliateProfile').implement({
  description: 'An affiliate and its KYC. The tax identifier and the bank account are masked.',
  authScopes: { member: true },
  fields: t => ({
    partnerStatus: t.field({
      type: PartnerStatusEnum,
      nullable: false,
      description: 'What the organisation is in the program.',
      resolve: ({ partnerStatus }) => partnerStatus,
    }),
    kycStatus: t.field({
      type: KycStatusEnum,
      nullable: false,
      description: 'How far its KYC is.',
      resolve: ({ kycStatus }) => kycStatus,
    }),
    entityType: t.field({
      type: EntityTypeEnum,
      description: 'What it says it is.',
      resolve: ({ submission }) => submission?.entityType,
    }),
    fullName: t.string({
      description: 'Who it says it is.',
      resolve: ({ submission }) => submission?.fullName,
    }),
    panMasked: t.string({
      description: 'The tax identifier, masked; null where none was given.',
      resolve: ({ submission }) => submission?.panMasked,
    }),
    panName: t.string({
      description: 'The name on the PAN card.',
      resolve: ({ submission }) => submission?.panName,
    }),
    gstNumber: t.exposeString('gstNumber', {
      description: 'The tax registration number; null where none was given.',
    }),
    bankAccountMasked: t.string({
      description: 'The bank account, all but the last four digits masked.',
      resolve: ({ submission }) => submission?.bankAccountMasked,
    }),
    bankIfsc: t.string({
      description: 'The bank’s branch.',
      resolve: ({ submission }) => submission?.bankIfsc,
    }),
    bankAccountHolderName: t.string({
      description: 'As the bank knows them.',
      resolve: ({ submission }) => submission?.bankAccountHolderName,
    }),
    kycSubmittedAt: t.field({
      type: 'DateTime',
      description: 'When it was submitted last.',
      resolve: ({ submission }) => submission?.createdAt,
    }),
    kycApprovedAt: t.field({
      type: 'DateTime',
      description: 'When that was approved.',
      resolve: ({ kycStatus, submission }) =>
        kycStatus === 'KYC_APPROVED' ? submission?.reviewedAt : null,
    }),
    rejectionReason: t.string({
      description: 'What to mend before it is submitted anew.',
      resolve: ({ submission }) => submission?.rejectionReason,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the organisation upgraded.',
    }),
  }),
});

builder.queryField('affiliateProfile', t =>
  t.field({
    type: AffiliateProfileRef,
    description: 'The viewer’s organisation as an affiliate; null before it upgraded.',
    authScopes: { member: true },
    resolve: (_root, _args, { context }) => affiliateProfile(context),
  }),
);

mutation({
  name: 'affiliateUpgrade',
  description:
    'Makes a profile for the viewer’s organisation, once it has enough active referrals; its KYC is to come. Again, it is the same profile.',
  access: 'owner',
  contract: affiliateUpgradeContract,
  codes: ['UPGRADE_NOT_ELIGIBLE'],
  action: affiliateUpgrade,
  payload: t => ({
    affiliateProfile: t.field({
      type: AffiliateProfileRef,
      description: 'The profile.',
      resolve: ({ result }, _args, { context }) => result && affiliateProfile(context),
    }),
  }),
});

mutation({
  name: 'kycSubmit',
  description:
    'Says who the viewer’s organisation is, all of it anew: it is pending then, though an earlier one was approved.',
  access: 'owner',
  input: t => ({
    fullName: t.string({ required: true, description: 'Who it is.' }),
    panNumber: t.string({
      description: 'The tax identifier; without it more is deducted from payouts.',
    }),
    panName: t.string({ description: 'The name on the PAN card; with panNumber only.' }),
    gstNumber: t.string({
      description: 'The tax registration number, whose PAN must be the one given.',
    }),
    bankAccountNumber: t.string({
      required: true,
      description: 'Where payouts go: 9 to 18 digits.',
    }),
    bankIfsc: t.string({ required: true, description: 'The bank’s branch.' }),
    bankAccountHolderName: t.string({ required: true, description: 'As the bank knows them.' }),
    entityType: t.field({
      type: EntityTypeEnum,
      required: true,
      description: 'What kind of person or company it is; the PAN must be of that kind.',
    }),
  }),
  contract: kycSubmitContract,
  codes: ['AFFILIATE_PROFILE_REQUIRED'],
  action: kycSubmit,
  payload: t => ({
    affiliateProfile: t.field({
      type: AffiliateProfileRef,
      description: 'The profile as it is now.',
      resolve: ({ result }, _args, { context }) => result && affiliateProfile(context),
    }),
  }),
});
