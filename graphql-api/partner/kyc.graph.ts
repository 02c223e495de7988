// The KYC review queue. It spans organizations, so all of it is for platform admins.

import { builder } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, globalId } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { mutation, type PayloadFields } from '../platform/graph/mutation.ts';
import { uuidOf } from '../platform/graph/node-id.ts';
import { EntityTypeEnum } from './affiliate.graph.ts';
import { kycApproveContract, kycRejectContract } from './kyc.contract.ts';
import type { KycSubmission } from './kyc.entity.ts';
import { type KycAlert, kycAlertsByIds, kycSubmissions } from './kyc.reads.ts';
import { kycApprove, kycReject, type Reviewed } from './kyc.review.ts';
import { organizationFields } from './organization-name.ts';

const submissionById = loaderById(kycSubmissions.byIds);
const alertsById = loaderById(kycAlertsByIds);

const KycSubmissionStatusEnum = describedEnum(
  'KycSubmissionStatus',
  'The review state of a KYC submission.',
  {
    KYC_PENDING: 'The submission is awaiting review.',
    KYC_APPROVED: 'The submission was approved.',
    KYC_REJECTED: 'The submission was rejected, with a reason.',
    SUPERSEDED: 'The submission was replaced by a later one.',
  },
);

const KycAlertKindEnum = describedEnum('KycAlertKind', 'The detail that two organizations share.', {
  SAME_PAN: 'Both organizations have the same tax identifier (PAN).',
  SAME_BANK_ACCOUNT: 'Both organizations have the same bank account.',
});

const KycAlertRef = builder.objectRef<KycAlert>('KycAlert').implement({
  description:
    'A warning that another organization submitted the same KYC detail, which may indicate fraud.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    ...expose(t, KycAlertKindEnum, { kind: 'The detail that both organizations submitted.' }),
    organizationId: globalId(
      t,
      'organizationId',
      'Organization',
      'The ID of the other organization.',
    ),
    ...expose(t, 'String!', { organizationName: 'The name of the other organization.' }),
  }),
});

const KycSubmissionRef = builder.objectRef<KycSubmission>('KycSubmission').implement({
  description: 'The KYC details that an affiliate submitted for review. Secret values are masked.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    id: globalId(t, 'id', 'KycSubmission', 'The global ID to pass to `kycApprove` or `kycReject`.'),
    ...organizationFields(t, 'The ID of the organization that submitted the details.'),
    ...expose(t, KycSubmissionStatusEnum, { status: 'The review state.' }),
    ...expose(t, EntityTypeEnum, { entityType: 'The legal form of the affiliate.' }),
    ...expose(t, 'String!', {
      fullName: 'The full name of the person or company.',
      bankAccountMasked: 'The bank account number, with all but the last four digits masked.',
      bankIfsc: 'The IFSC of the bank branch.',
      bankAccountHolderName: 'The account holder’s name as registered with the bank.',
    }),
    ...expose(t, 'String', {
      panName: 'The name on the PAN card; null if no PAN was given.',
      panMasked: 'The tax identifier (PAN), masked; null if none was given.',
      rejectionReason:
        'Why the submission was rejected and what to correct; null if it was not rejected.',
      reviewedBy:
        'The ID of the platform admin who reviewed the submission; null if it has not been reviewed.',
    }),
    ...expose(t, 'Boolean!', {
      hasGst:
        'Whether a GSTIN was given. Its check character and the PAN it contains were validated on submission.',
    }),
    ...expose(t, 'DateTime', {
      reviewedAt: 'When the submission was reviewed; null if it has not been reviewed.',
    }),
    ...expose(t, 'DateTime!', { createdAt: 'When the details were submitted.' }),
    alerts: t.field({
      type: [KycAlertRef],
      nullable: false,
      description:
        'Warnings about other organizations that submitted the same PAN or bank account.',
      complexity: 2,
      resolve: async ({ id }, _args, graph) => [...((await alertsById(graph, id))?.alerts ?? [])],
    }),
  }),
});

const KycSubmissionConnection = connectionType('KycSubmission', KycSubmissionRef);

pageQuery('kycSubmissions', {
  type: KycSubmissionConnection,
  description: 'The KYC submissions of all organizations. Platform admins only.',
  access: 'platformAdmin',
  args: arg => ({
    status: arg({ type: KycSubmissionStatusEnum, description: 'Filters by review state.' }),
    organizationId: arg.id({ description: 'Filters by organization.' }),
  }),
  page: (context, page, { status, organizationId }) =>
    kycSubmissions.page(context, page, {
      ...(status && { status }),
      ...(organizationId && { organizationId: uuidOf('Organization', organizationId) }),
    }),
});

mutation({
  name: 'kycApprove',
  description:
    'Approves up to 100 KYC submissions. Either all of them are approved or none are. Organizations with the status USER become affiliates. Submissions that are already approved are not affected. Platform admins only.',
  access: 'platformAdmin',
  input: t => ({
    ids: t.globalIDList({ required: true, description: 'The IDs of the submissions.' }),
  }),
  contract: kycApproveContract,
  codes: ['NOT_FOUND', 'KYC_STATUS'],
  action: kycApprove,
  payload: reviewed,
});

mutation({
  name: 'kycReject',
  description:
    'Rejects up to 100 KYC submissions, including approved ones. Either all of them are rejected or none are. The organizations receive no payouts until a new submission is approved. Platform admins only.',
  access: 'platformAdmin',
  input: t => ({
    ids: t.globalIDList({ required: true, description: 'The IDs of the submissions.' }),
    reason: t.string({
      required: true,
      description:
        'Why the submissions are rejected and what to correct. Visible to the affiliate.',
    }),
  }),
  contract: kycRejectContract,
  codes: ['NOT_FOUND', 'KYC_STATUS'],
  action: kycReject,
  payload: reviewed,
});

function reviewed(t: PayloadFields<Reviewed>) {
  return {
    kycSubmissions: t.field({
      type: [KycSubmissionRef],
      description: 'The updated submissions.',
      resolve: async ({ result }, _args, graph) => {
        if (result === undefined) return null;
        const submissions = await Promise.all(result.ids.map(id => submissionById(graph, id)));
        return submissions.filter(submission => submission !== null);
      },
    }),
  };
}
