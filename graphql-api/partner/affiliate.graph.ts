import { builder } from '../platform/graph/builder.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { affiliateUpgradeContract } from './affiliate.contract.ts';
import { type AffiliateView, affiliateProfile } from './affiliate.reads.ts';
import { affiliateUpgrade } from './affiliate.upgrade.ts';
import { ENTITY_TYPE_NAMES, ENTITY_TYPES } from './entity-types.ts';
import { kycSubmitContract } from './kyc.contract.ts';
import { kycSubmit } from './kyc.submit.ts';

export const PartnerStatusEnum = builder.enumType('PartnerStatus', {
  description: 'The status of an organization in the partner program.',
  values: {
    USER: { description: 'Earns credits for its referrals.' },
    AFFILIATE: { description: 'Has an approved KYC and earns cash commissions.' },
    AGENCY: { description: 'Appointed by a platform admin. Can also register deals.' },
  },
});

const KycStatusEnum = builder.enumType('KycStatus', {
  description: 'The review state of an affiliate’s KYC.',
  values: {
    KYC_PENDING: {
      description: 'The details have not been submitted yet, or are awaiting review.',
    },
    KYC_APPROVED: { description: 'Approved. Cash can be paid out.' },
    KYC_REJECTED: {
      description:
        'Rejected. New details must be submitted; `rejectionReason` says what to correct.',
    },
  },
});

export const EntityTypeEnum = builder.enumType('EntityType', {
  description: 'The legal form of an affiliate.',
  values: Object.fromEntries(
    ENTITY_TYPE_NAMES.map(name => [name, { description: ENTITY_TYPES[name].title }]),
  ) as Record<(typeof ENTITY_TYPE_NAMES)[number], { description: string }>,
});

const AffiliateProfileRef = builder.objectRef<AffiliateView>('AffiliateProfile').implement({
  description:
    'An affiliate profile with its KYC details. The tax identifier and the bank account are masked.',
  authScopes: { member: true },
  fields: t => ({
    partnerStatus: t.field({
      type: PartnerStatusEnum,
      nullable: false,
      description: 'The organization’s status in the partner program.',
      resolve: ({ partnerStatus }) => partnerStatus,
    }),
    kycStatus: t.field({
      type: KycStatusEnum,
      nullable: false,
      description: 'The review state of the KYC.',
      resolve: ({ kycStatus }) => kycStatus,
    }),
    entityType: t.field({
      type: EntityTypeEnum,
      description:
        'The legal form given in the current submission; null if no details were submitted.',
      resolve: ({ submission }) => submission?.entityType,
    }),
    fullName: t.string({
      description:
        'The full name given in the current submission; null if no details were submitted.',
      resolve: ({ submission }) => submission?.fullName,
    }),
    panMasked: t.string({
      description: 'The tax identifier (PAN), masked; null if none was given.',
      resolve: ({ submission }) => submission?.panMasked,
    }),
    panName: t.string({
      description: 'The name on the PAN card; null if no PAN was given.',
      resolve: ({ submission }) => submission?.panName,
    }),
    gstNumber: t.exposeString('gstNumber', {
      description: 'The tax registration number (GSTIN); null if none was given.',
    }),
    bankAccountMasked: t.string({
      description:
        'The bank account number, with all but the last four digits masked; null if no details were submitted.',
      resolve: ({ submission }) => submission?.bankAccountMasked,
    }),
    bankIfsc: t.string({
      description: 'The IFSC of the bank branch; null if no details were submitted.',
      resolve: ({ submission }) => submission?.bankIfsc,
    }),
    bankAccountHolderName: t.string({
      description:
        'The account holder’s name as registered with the bank; null if no details were submitted.',
      resolve: ({ submission }) => submission?.bankAccountHolderName,
    }),
    kycSubmittedAt: t.field({
      type: 'DateTime',
      description: 'When the current details were submitted; null if no details were submitted.',
      resolve: ({ submission }) => submission?.createdAt,
    }),
    kycApprovedAt: t.field({
      type: 'DateTime',
      description: 'When the current details were approved; null unless the KYC is approved.',
      resolve: ({ kycStatus, submission }) =>
        kycStatus === 'KYC_APPROVED' ? submission?.reviewedAt : null,
    }),
    rejectionReason: t.string({
      description:
        'Why the details were rejected and what to correct; null unless the KYC is rejected.',
      resolve: ({ submission }) => submission?.rejectionReason,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the organization upgraded to an affiliate.',
    }),
  }),
});

builder.queryField('affiliateProfile', t =>
  t.field({
    type: AffiliateProfileRef,
    description: 'The affiliate profile of the viewer’s organization; null if it has not upgraded.',
    authScopes: { member: true },
    resolve: (_root, _args, { context }) => affiliateProfile(context),
  }),
);

mutation({
  name: 'affiliateUpgrade',
  description:
    'Creates an affiliate profile for the viewer’s organization once it has enough active referrals. KYC details are submitted separately. Returns the existing profile if there is one.',
  access: 'owner',
  contract: affiliateUpgradeContract,
  codes: ['UPGRADE_NOT_ELIGIBLE'],
  action: affiliateUpgrade,
  payload: t => ({
    affiliateProfile: t.field({
      type: AffiliateProfileRef,
      description: 'The affiliate profile.',
      resolve: ({ result }, _args, { context }) => result && affiliateProfile(context),
    }),
  }),
});

mutation({
  name: 'kycSubmit',
  description:
    'Submits KYC details for the viewer’s organization and sets the KYC to pending review. Replaces all previous details, even if they were approved.',
  access: 'owner',
  input: t => ({
    fullName: t.string({ required: true, description: 'The full name of the person or company.' }),
    panNumber: t.string({
      description: 'The tax identifier (PAN). Payouts are taxed at a higher rate without it.',
    }),
    panName: t.string({
      description: 'The name on the PAN card. Only allowed together with `panNumber`.',
    }),
    gstNumber: t.string({
      description: 'The tax registration number (GSTIN). It must contain the given PAN.',
    }),
    bankAccountNumber: t.string({
      required: true,
      description: 'The account number that payouts are sent to: 9 to 18 digits.',
    }),
    bankIfsc: t.string({ required: true, description: 'The IFSC of the bank branch.' }),
    bankAccountHolderName: t.string({
      required: true,
      description: 'The account holder’s name as registered with the bank.',
    }),
    entityType: t.field({
      type: EntityTypeEnum,
      required: true,
      description:
        'The legal form of the person or company. It must match the type encoded in the PAN.',
    }),
  }),
  contract: kycSubmitContract,
  codes: ['AFFILIATE_PROFILE_REQUIRED'],
  action: kycSubmit,
  payload: t => ({
    affiliateProfile: t.field({
      type: AffiliateProfileRef,
      description: 'The updated affiliate profile.',
      resolve: ({ result }, _args, { context }) => result && affiliateProfile(context),
    }),
  }),
});
