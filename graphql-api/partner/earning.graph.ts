import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderBy, loaderById } from '../platform/graph/loader.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { encodeNodeId, uuidOf } from '../platform/graph/node-id.ts';
import { creditReschedule } from './credit.reschedule.ts';
import { Earning } from './earning.entity.ts';
import { organizationName } from './organization-name.ts';
import { earnings } from './own-wallet.reads.ts';
import { creditRescheduleContract } from './partner-admin.contract.ts';
import { platformEarningsByIds, platformEarningsPage } from './platform-wallet.reads.ts';
import { ReferralRef } from './referral.graph.ts';
import { referralsByReferees } from './referral.reads.ts';

const EarningKindEnum = builder.enumType('EarningKind', {
  description: 'What a payment brought.',
  values: {
    CREDIT: { description: 'Credits, held for a while.' },
    COMMISSION: { description: 'Cash, to be paid out once it is old enough.' },
  },
});

const EarningStatusEnum = builder.enumType('EarningStatus', {
  description: 'What became of an earning.',
  values: {
    PENDING: { description: 'A credit that is held.' },
    VOIDED: { description: 'Taken back while it was held.' },
    AVAILABLE: { description: 'In the balance.' },
    CLAWED_BACK: { description: 'Taken back after that.' },
  },
});

const earningById = loaderById(earnings.byIds);
const platformEarningById = loaderById(platformEarningsByIds);
const referralByReferee = loaderBy(referralsByReferees, referral => referral.refereeOrganizationId);

export const EarningRef: ObjectRef<SchemaTypes, Earning> = builder.node(Earning, {
  name: 'Earning',
  description: 'What a payment of a referral brought, by the terms of its moment.',
  authScopes: { member: true },
  id: { resolve: earning => earning.id },
  loadOne: (id, graph) => earningById(graph, id),
  fields: t => ({
    organizationId: t.id({
      nullable: false,
      description: 'Whose it is.',
      resolve: ({ organizationId }) => encodeNodeId('Organization', organizationId),
    }),
    organizationName: organizationName(t),
    kind: t.field({
      type: EarningKindEnum,
      nullable: false,
      description: 'Credits or cash.',
      resolve: ({ kind }) => kind,
    }),
    status: t.field({
      type: EarningStatusEnum,
      nullable: false,
      description: 'What became of it.',
      resolve: ({ status }) => status,
    }),
    amount: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'What the payment brought.',
      resolve: ({ amountMinor, currency }) => ({ amountMinor, currencyCode: currency }),
    }),
    clawedBack: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'How much of it refunds and chargebacks took back.',
      resolve: ({ clawedMinor, currency }) => ({
        amountMinor: clawedMinor,
        currencyCode: currency,
      }),
    }),
    rateBps: t.exposeInt('rateBps', {
      nullable: false,
      description: 'Its part of the payment, in basis points.',
    }),
    releaseDate: t.field({
      type: 'Date',
      description:
        'Of a credit: the day, in UTC, whose run at 02:00 releases it; one in the past, of a payment told of late, is released by the next run.',
      resolve: ({ releaseOn }) => releaseOn,
    }),
    releasedAt: t.expose('releasedAt', {
      type: 'DateTime',
      description: 'Since when it is in the balance.',
    }),
    eligibleAt: t.expose('eligibleAt', {
      type: 'DateTime',
      description: 'Of a commission: from when it may be paid out.',
    }),
    referral: t.field({
      type: ReferralRef,
      description: 'Whose payment it was; null for whom that is not to see.',
      resolve: ({ refereeOrganizationId }, _args, graph) =>
        referralByReferee(graph, refereeOrganizationId),
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was earned.',
    }),
  }),
});

const EarningConnection = connectionType('Earning', EarningRef);

builder.queryField('earnings', t =>
  t.field({
    type: EarningConnection,
    nullable: false,
    description: 'What the viewer’s organisation earned.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      status: t.arg({ type: EarningStatusEnum, description: 'Only those.' }),
    },
    complexity: pageCost,
    resolve: async (_root, { status, ...page }, { context }) =>
      connectionOfPage(await earnings.page(context, page, status ? { status } : {}), page),
  }),
);

builder.queryField('platformEarnings', t =>
  t.field({
    type: EarningConnection,
    nullable: false,
    description: 'What anybody earned, for platform admins.',
    authScopes: { platformAdmin: true },
    args: {
      ...pageArgs(t.arg),
      status: t.arg({ type: EarningStatusEnum, description: 'Only those.' }),
      organizationId: t.arg.id({ description: 'Only of this organisation.' }),
    },
    complexity: pageCost,
    resolve: async (_root, { status, organizationId, ...page }, { context }) => {
      const filter = {
        ...(status && { status }),
        ...(organizationId && { organizationId: uuidOf('Organization', organizationId) }),
      };
      return connectionOfPage(await platformEarningsPage(context, page, filter), page);
    },
  }),
);

mutation({
  name: 'creditReschedule',
  description:
    'Holds a single credit until another day, or releases it with the next run where that day has come; for platform admins.',
  access: 'platformAdmin',
  target: EarningRef,
  input: t => ({
    releaseDate: t.field({
      type: 'Date',
      required: true,
      description: 'The day, in UTC, from which it is to be available.',
    }),
    reason: t.string({ required: true, description: 'Why, for the audit log.' }),
  }),
  contract: creditRescheduleContract,
  codes: ['NOT_FOUND', 'CREDIT_STATUS'],
  action: creditReschedule,
  payload: t => ({
    earning: t.field({
      type: EarningRef,
      description: 'The credit as it is now.',
      resolve: ({ result }, _args, graph) => result && platformEarningById(graph, result.id),
    }),
  }),
});
