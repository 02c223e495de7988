import { builder } from '../platform/graph/builder.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { partnerRegionSetContract, programTermsUpdateContract } from './partner-admin.contract.ts';
import { partnerRegionSet } from './partner-region.set.ts';
import type { ProgramTerms } from './program-terms.entity.ts';
import { allTerms } from './program-terms.reads.ts';
import { programTermsUpdate } from './program-terms.update.ts';

export const ProgramTermsRef = builder.objectRef<ProgramTerms>('ProgramTerms').implement({
  description:
    'What referrers of a region are promised. What was earned keeps the terms of its moment.',
  authScopes: { member: true },
  fields: t => ({
    region: t.exposeString('region', { nullable: false, description: 'Of the referrer.' }),
    currencyCode: t.field({
      type: 'CurrencyCode',
      nullable: false,
      description: 'In which everything is earned.',
      resolve: ({ currency }) => currency,
    }),
    currencySymbol: t.exposeString('currencySymbol', {
      nullable: false,
      description: 'How people write it.',
    }),
    creditRateBps: t.exposeInt('creditRateBps', {
      nullable: false,
      description:
        'What a user earns of a referee’s first payment, in basis points: 1,000 is 10 %.',
    }),
    holdDays: t.exposeInt('holdDays', {
      nullable: false,
      description: 'How long credits are held after that payment.',
    }),
    commissionRateBps: t.exposeInt('commissionRateBps', {
      nullable: false,
      description: 'What affiliates and agencies earn of every payment, in basis points.',
    }),
    commissionMonths: t.exposeInt('commissionMonths', {
      nullable: false,
      description: 'For how long after a referee’s first payment.',
    }),
    commissionAgeDays: t.exposeInt('commissionAgeDays', {
      nullable: false,
      description: 'How old cash must be to be paid out.',
    }),
    payoutMinimum: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'The least that is paid out.',
      resolve: ({ payoutMinimumMinor, currency }) => ({
        amountMinor: payoutMinimumMinor,
        currencyCode: currency,
      }),
    }),
    dormancyDays: t.exposeInt('dormancyDays', {
      nullable: false,
      description: 'After how long without activity a wallet is dormant.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When they were last changed.',
    }),
  }),
});

builder.queryField('programTerms', t =>
  t.field({
    type: [ProgramTermsRef],
    nullable: false,
    description: 'The terms of every region, for platform admins.',
    authScopes: { platformAdmin: true },
    resolve: async (_root, _args, { context }) => [...(await allTerms(context))],
  }),
);

const BPS = 'In basis points: 1,000 is 10 %.';

mutation({
  name: 'programTermsUpdate',
  description:
    'Changes the terms of a region, for platform admins. What was earned before keeps its own.',
  access: 'platformAdmin',
  input: t => ({
    region: t.string({ required: true, description: 'Which.' }),
    creditRateBps: t.int({ description: BPS }),
    holdDays: t.int({ description: 'How long credits are held.' }),
    commissionRateBps: t.int({ description: BPS }),
    commissionMonths: t.int({ description: 'For how long payments earn commissions.' }),
    commissionAgeDays: t.int({ description: 'How old cash must be to be paid out.' }),
    payoutMinimum: t.field({ type: 'Decimal', description: 'The least that is paid out.' }),
    dormancyDays: t.int({ description: 'After how long a wallet is dormant.' }),
  }),
  contract: programTermsUpdateContract,
  codes: ['NOT_FOUND'],
  action: programTermsUpdate,
  payload: t => ({
    programTerms: t.field({
      type: ProgramTermsRef,
      description: 'The terms as they are now.',
      resolve: async ({ result }, _args, { context }) =>
        result && (await allTerms(context)).find(({ region }) => region === result.region),
    }),
  }),
});

mutation({
  name: 'partnerRegionSet',
  description:
    'Puts an organisation into a region of the program, for platform admins; once it has a wallet, it stays there.',
  access: 'platformAdmin',
  input: t => ({
    organizationId: t.globalID({ required: true, description: 'Which.' }),
    region: t.string({ required: true, description: 'One that has terms.' }),
  }),
  contract: partnerRegionSetContract,
  codes: ['NOT_FOUND', 'REGION_FIXED'],
  action: partnerRegionSet,
  payload: t => ({
    programTerms: t.field({
      type: ProgramTermsRef,
      description: 'What holds for it now.',
      resolve: async ({ result }, _args, { context }) =>
        result && (await allTerms(context)).find(({ region }) => region === result.region),
    }),
  }),
});
