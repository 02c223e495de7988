import { builder } from '../platform/graph/builder.ts';
import { expose, memberObject } from '../platform/graph/fields.ts';
import { money } from '../platform/graph/money.ts';
import { mutation, type PayloadFields } from '../platform/graph/mutation.ts';
import { partnerRegionSetContract, programTermsUpdateContract } from './partner-admin.contract.ts';
import { partnerRegionSet } from './partner-region.set.ts';
import { allTerms, type Terms } from './program-terms.reads.ts';
import { programTermsUpdate } from './program-terms.update.ts';

export const ProgramTermsRef = memberObject<Terms>('ProgramTerms', {
  description:
    'The reward terms for referrers in one region. Existing earnings keep the terms under which they were earned.',
  fields: t => ({
    ...expose(t, 'String!', {
      region: 'The region of the referrer.',
      currencySymbol: 'The currency symbol.',
    }),
    currencyCode: t.field({
      type: 'CurrencyCode',
      nullable: false,
      description: 'The currency of all rewards in this region.',
      resolve: ({ currency }) => currency,
    }),
    ...expose(t, 'Int!', {
      creditRateBps:
        'The share of a referee’s first payment that a referrer with status USER earns as credits, in basis points: 1,000 is 10%.',
      holdDays: 'The number of days that credits are held after the payment that earned them.',
      commissionRateBps:
        'The share of each payment that affiliates and agencies earn as commission, in basis points.',
      commissionMonths:
        'The number of months after a referee’s first payment during which payments earn commission.',
      commissionAgeDays:
        'The number of days for which cash must be held before it can be paid out.',
      dormancyDays: 'The number of days without activity after which a wallet becomes dormant.',
    }),
    payoutMinimum: money(t, 'payoutMinimumMinor', {
      description: 'The minimum amount of a payout.',
    }),
    ...expose(t, 'DateTime!', { updatedAt: 'When the terms were last updated.' }),
  }),
});

builder.queryField('programTerms', t =>
  t.field({
    type: [ProgramTermsRef],
    nullable: false,
    description: 'The terms of all regions. Platform admins only.',
    authScopes: { platformAdmin: true },
    resolve: (_root, _args, { context }) => allTerms(context),
  }),
);

function changedTerms(t: PayloadFields<{ readonly region: string }>, description: string) {
  return t.field({
    type: ProgramTermsRef,
    description,
    resolve: async ({ result }, _args, { context }) =>
      result && (await allTerms(context)).find(({ region }) => region === result.region),
  });
}

mutation({
  name: 'programTermsUpdate',
  description:
    'Updates the terms of a region. Omitted fields are unchanged. Existing earnings keep their terms. Platform admins only.',
  access: 'platformAdmin',
  input: t => ({
    region: t.string({ required: true, description: 'The region to update.' }),
    creditRateBps: t.int({ description: 'The credit rate, in basis points: 1,000 is 10%.' }),
    holdDays: t.int({
      description: 'The number of days that credits are held after the payment that earned them.',
    }),
    commissionRateBps: t.int({
      description: 'The commission rate, in basis points: 1,000 is 10%.',
    }),
    commissionMonths: t.int({
      description:
        'The number of months after a referee’s first payment during which payments earn commission.',
    }),
    commissionAgeDays: t.int({
      description: 'The number of days for which cash must be held before it can be paid out.',
    }),
    payoutMinimum: t.field({ type: 'Decimal', description: 'The minimum amount of a payout.' }),
    dormancyDays: t.int({
      description: 'The number of days without activity after which a wallet becomes dormant.',
    }),
  }),
  contract: programTermsUpdateContract,
  codes: ['NOT_FOUND'],
  action: programTermsUpdate,
  payload: t => ({ programTerms: changedTerms(t, 'The updated terms.') }),
});

mutation({
  name: 'partnerRegionSet',
  description:
    'Assigns an organization to a region of the partner program. The region cannot be changed once the organization has a wallet. Platform admins only.',
  access: 'platformAdmin',
  input: t => ({
    organizationId: t.globalID({ required: true, description: 'The ID of the organization.' }),
    region: t.string({ required: true, description: 'The region. It must have program terms.' }),
  }),
  contract: partnerRegionSetContract,
  codes: ['NOT_FOUND', 'REGION_FIXED'],
  action: partnerRegionSet,
  payload: t => ({
    programTerms: changedTerms(t, 'The terms that now apply to the organization.'),
  }),
});
