// The review queue. All of it is for platform admins: it spans organisations.

import { builder, type GraphContext } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { encodeNodeId, uuidOf } from '../platform/graph/node-id.ts';
import { EntityTypeEnum } from './affiliate.graph.ts';
import type { KycSubmission } from './kyc.entity.ts';
import {
  type KycAlert,
  kycAlertsByIds,
  kycSubmissionsByIds,
  kycSubmissionsPage,
} from './kyc.reads.ts';
import { kycApprove, kycReject } from './kyc.review.ts';
import { kycApproveContract, kycRejectContract } from './kyc-review.contract.ts';
import { organizationName } from './organization-name.ts';

const submissionById = loaderById(kycSubmissionsByIds);
const alertsById = loaderById(kycAlertsByIds);

const KycSubmissionStatusEnum = builder.enumType('KycSubmissionStatus', {
  description: 'What became of a submission.',
  values: {
    KYC_PENDING: { description: 'To be reviewed.' },
    KYC_APPROVED: { description: 'Approved.' },
    KYC_REJECTED: { description: 'Rejected, with a reason.' },
    SUPERSEDED: { description: 'A later one counts.' },
  },
});

const KycAlertRef = builder.objectRef<KycAlert>('KycAlert').implement({
  description: 'Another organisation gave the same, which may be fraud.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    kind: t.field({
      type: builder.enumType('KycAlertKind', {
        description: 'What two organisations have in common.',
        values: {
          SAME_PAN: { description: 'The tax identifier.' },
          SAME_BANK_ACCOUNT: { description: 'The bank account.' },
        },
      }),
      nullable: false,
      description: 'What is the same.',
      resolve: ({ kind }) => kind,
    }),
    organizationId: t.id({
      nullable: false,
      description: 'The other organisation.',
      resolve: ({ organizationId }) => encodeNodeId('Organization', organizationId),
    }),
    organizationName: t.exposeString('organizationName', {
      nullable: false,
      description: 'What it is called.',
    }),
  }),
});

const KycSubmissionRef = builder.objectRef<KycSubmission>('KycSubmission').implement({
  description: 'Who an affiliate says it is, for review. What is secret is masked here too.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    id: t.id({
      nullable: false,
      description: 'What kycApprove and kycReject take.',
      resolve: ({ id }) => encodeNodeId('KycSubmission', id),
    }),
    organizationId: t.id({
      nullable: false,
      description: 'Whose it is.',
      resolve: ({ organizationId }) => encodeNodeId('Organization', organizationId),
    }),
    organizationName: organizationName(t),
    status: t.field({
      type: KycSubmissionStatusEnum,
      nullable: false,
      description: 'What became of it.',
      resolve: ({ status }) => status,
    }),
    entityType: t.field({
      type: EntityTypeEnum,
      nullable: false,
      description: 'What it says it is.',
      resolve: ({ entityType }) => entityType,
    }),
    fullName: t.exposeString('fullName', { nullable: false, description: 'Who it says it is.' }),
    panName: t.exposeString('panName', { description: 'The name on the PAN card.' }),
    panMasked: t.exposeString('panMasked', { description: 'The tax identifier, masked.' }),
    hasGst: t.exposeBoolean('hasGst', {
      nullable: false,
      description: 'Whether it gave a GSTIN, whose PAN and check character were right.',
    }),
    bankAccountMasked: t.exposeString('bankAccountMasked', {
      nullable: false,
      description: 'The bank account, all but the last four digits masked.',
    }),
    bankIfsc: t.exposeString('bankIfsc', { nullable: false, description: 'The bank’s branch.' }),
    bankAccountHolderName: t.exposeString('bankAccountHolderName', {
      nullable: false,
      description: 'As the bank knows them.',
    }),
    rejectionReason: t.exposeString('rejectionReason', { description: 'What was to be mended.' }),
    reviewedAt: t.expose('reviewedAt', { type: 'DateTime', description: 'When it was reviewed.' }),
    reviewedBy: t.exposeString('reviewedBy', { description: 'Who reviewed it.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was submitted.',
    }),
    alerts: t.field({
      type: [KycAlertRef],
      nullable: false,
      description: 'Other organisations with the same PAN or bank account.',
      complexity: 2,
      resolve: async ({ id }, _args, graph) => [...((await alertsById(graph, id))?.alerts ?? [])],
    }),
  }),
});

const KycSubmissionConnection = connectionType('KycSubmission', KycSubmissionRef);

builder.queryField('kycSubmissions', t =>
  t.field({
    type: KycSubmissionConnection,
    nullable: false,
    description: 'What affiliates submitted, for platform admins.',
    authScopes: { platformAdmin: true },
    args: {
      ...pageArgs(t.arg),
      status: t.arg({ type: KycSubmissionStatusEnum, description: 'Only those.' }),
      organizationId: t.arg.id({ description: 'Only of this organisation.' }),
    },
    complexity: pageCost,
    resolve: async (_root, args, { context }) => {
      const filter = {
        status: args.status,
        organizationId: args.organizationId
          ? uuidOf('Organization', args.organizationId)
          : undefined,
      };
      return connectionOfPage(await kycSubmissionsPage(context, args, filter), args);
    },
  }),
);

mutation({
  name: 'kycApprove',
  description:
    'Approves submissions, at most 100, all of them or none: their organisations are affiliates then, if they were users. One that is approved stays so.',
  access: 'platformAdmin',
  input: t => ({
    ids: t.globalIDList({ required: true, description: 'The submissions.' }),
  }),
  contract: kycApproveContract,
  codes: ['NOT_FOUND', 'KYC_STATUS'],
  action: kycApprove,
  payload: t => ({
    kycSubmissions: t.field({
      type: [KycSubmissionRef],
      description: 'The submissions as they are now.',
      resolve: ({ result }, _args, graph) => result && submissionsOf(graph, result.ids),
    }),
  }),
});

mutation({
  name: 'kycReject',
  description:
    'Rejects submissions, at most 100, all of them or none, also approved ones: no cash is paid out then until a new one is approved.',
  access: 'platformAdmin',
  input: t => ({
    ids: t.globalIDList({ required: true, description: 'The submissions.' }),
    reason: t.string({ required: true, description: 'What to mend, for the affiliate to read.' }),
  }),
  contract: kycRejectContract,
  codes: ['NOT_FOUND', 'KYC_STATUS'],
  action: kycReject,
  payload: t => ({
    kycSubmissions: t.field({
      type: [KycSubmissionRef],
      description: 'The submissions as they are now.',
      resolve: ({ result }, _args, graph) => result && submissionsOf(graph, result.ids),
    }),
  }),
});

async function submissionsOf(
  graph: GraphContext,
  ids: readonly string[],
): Promise<KycSubmission[]> {
  const found = await Promise.all(ids.map(id => submissionById(graph, id)));
  return found.filter(submission => submission !== null);
}
