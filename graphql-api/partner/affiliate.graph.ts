import { builder } from '../platform/graph/builder.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, memberObject } from '../platform/graph/fields.ts';
import { mutation, type PayloadFields } from '../platform/graph/mutation.ts';
import { affiliateUpgradeContract } from './affiliate.contract.ts';
import { type AffiliateView, affiliateProfile } from './affiliate.reads.ts';
import { affiliateUpgrade } from './affiliate.upgrade.ts';
import { ENTITY_TYPE_NAMES, ENTITY_TYPES } from './entity-types.ts';
import { kycSubmitContract } from './kyc.contract.ts';
import { kycSubmit } from './kyc.submit.ts';

export const PartnerStatusEnum = describedEnum(
  'PartnerStatus',
  'The status of an organization in the partner program.',
  {
    USER: 'The organization earns credits for its referrals.',
    AFFILIATE: 'The organization’s KYC was approved. The organization earns cash commissions.',
    AGENCY: 'A platform admin appointed the organization. It can also register deals.',
  },
);

const KycStatusEnum = describedEnum('KycStatus', 'The review state of an affiliate’s KYC.', {
  KYC_PENDING: 'The details have not been submitted yet, or are awaiting review.',
  KYC_APPROVED: 'The KYC is approved, and cash can be paid out.',
  KYC_REJECTED: 'The KYC was rejected. New details must be submitted; see `rejectionReason`.',
});

export const EntityTypeEnum = builder.enumType('EntityType', {
  description: 'The legal form of an affiliate.',
  values: Object.fromEntries(
    ENTITY_TYPE_NAMES.map(name => [name, { description: ENTITY_TYPES[name].title }]),
  ) as Record<(typeof ENTITY_TYPE_NAMES)[number], { description: string }>,
});

const AffiliateProfileRef = memberObject<AffiliateView>('AffiliateProfile', {
  description:
    'An affiliate profile with its KYC details. The tax identifier and the bank account are masked.',
  fields: t => ({
    ...expose(t, PartnerStatusEnum, {
      partnerStatus: 'The organization’s status in the partner program.',
    }),
    ...expose(t, KycStatusEnum, { kycStatus: 'The state of the KYC review.' }),
    entityType: t.expose('entityType', {
      type: EntityTypeEnum,
      description:
        'The affiliate’s legal form, as given in the current KYC submission; null if no details were submitted.',
    }),
    ...expose(t, 'String', {
      fullName:
        'The full name of the person or company, as given in the current KYC submission; null if no details were submitted.',
      panMasked: 'The tax identifier (PAN), masked; null if none was given.',
      panName: 'The name on the PAN card; null if no PAN was given.',
      bankAccountMasked:
        'The bank account number, with all but the last four digits masked; null if no details were submitted.',
      bankIfsc: 'The IFSC of the bank branch; null if no details were submitted.',
      bankAccountHolderName:
        'The account holder’s name as registered with the bank; null if no details were submitted.',
      rejectionReason:
        'Why the KYC details were rejected and what to correct; null unless the KYC is rejected.',
    }),
    gstNumber: t.string({
      nullable: true,
      description: 'The tax registration number (GSTIN); null if none was given.',
      resolve: ({ gstNumber }) => gstNumber(),
    }),
    ...expose(t, 'DateTime', {
      kycSubmittedAt:
        'When the current KYC details were submitted; null if no details were submitted.',
      kycApprovedAt: 'When the current KYC details were approved; null unless the KYC is approved.',
    }),
    ...expose(t, 'DateTime!', {
      createdAt: 'When the affiliate profile was created.',
    }),
  }),
});

builder.queryField('affiliateProfile', t =>
  t.field({
    type: AffiliateProfileRef,
    description:
      'The affiliate profile of the viewer’s organization; null if the organization has not become an affiliate.',
    authScopes: { member: true },
    resolve: (_root, _args, { context }) => affiliateProfile(context),
  }),
);

const shown = (description: string) => (t: PayloadFields<unknown>) => ({
  affiliateProfile: t.field({
    type: AffiliateProfileRef,
    description,
    resolve: ({ result }, _args, { context }) =>
      result === undefined ? null : affiliateProfile(context),
  }),
});

mutation({
  name: 'affiliateUpgrade',
  description:
    'Creates an affiliate profile for the viewer’s organization, which must have enough active referrals or be an agency. KYC details are submitted separately. Returns the existing profile if there is one.',
  access: 'owner',
  contract: affiliateUpgradeContract,
  codes: ['UPGRADE_NOT_ELIGIBLE'],
  action: affiliateUpgrade,
  payload: shown('The affiliate profile.'),
});

mutation({
  name: 'kycSubmit',
  description:
    'Submits KYC details for the viewer’s organization. The KYC is then pending review. The submission replaces all previous details, even if they were approved.',
  access: 'owner',
  input: t => ({
    fullName: t.string({ required: true, description: 'The full name of the person or company.' }),
    panNumber: t.string({
      description: 'The tax identifier (PAN). Without a PAN, payouts are taxed at a higher rate.',
    }),
    panName: t.string({
      description: 'The name on the PAN card. Allowed only together with `panNumber`.',
    }),
    gstNumber: t.string({
      description: 'The tax registration number (GSTIN). It must contain the given PAN.',
    }),
    bankAccountNumber: t.string({
      required: true,
      description: 'The number of the bank account that payouts are sent to: 9 to 18 digits.',
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
  payload: shown('The updated affiliate profile.'),
});
