// The queue of email submissions, which platform admins review across organizations.

import { builder } from '../../platform/graph/builder.ts';
import { expose, globalId } from '../../platform/graph/fields.ts';
import { mutation, type PayloadFields } from '../../platform/graph/mutation.ts';
import { encodeNodeId } from '../../platform/graph/node-id.ts';
import {
  templateReviewApproveContract,
  templateReviewRejectContract,
} from './approval.contract.ts';
import { type TemplateReview, templateReviews } from './approval.reads.ts';
import { templateReviewApprove, templateReviewReject } from './review-submission.ts';

const REVIEWS_SHOWN = 20;

const ReviewRef = builder.objectRef<TemplateReview>('TemplateReview').implement({
  description: 'An email version that is pending review.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    submissionId: globalId(
      t,
      'submissionId',
      'TemplateSubmission',
      'The ID to pass to `templateReviewApprove` or `templateReviewReject`.',
    ),
    ...expose(t, 'String!', {
      organizationName: 'The name of the organization.',
      templateName: 'The name of the template.',
      language: 'The language code, for example `en` or `pt_BR`.',
      body: 'The body.',
    }),
    ...expose(t, 'Int!', { number: 'The version number.' }),
    ...expose(t, 'String', { subject: 'The subject; null if there is none.' }),
    ...expose(t, 'DateTime!', {
      submittedAt: 'When the version was submitted.',
      dueAt: 'The deadline after which an alert is raised if the version has not been reviewed.',
    }),
  }),
});

builder.queryField('templateReviews', t =>
  t.field({
    type: [ReviewRef],
    nullable: false,
    description:
      'The email submissions that are pending review, oldest first. Platform admins only.',
    authScopes: { platformAdmin: true },
    args: {
      first: t.arg.int({
        defaultValue: REVIEWS_SHOWN,
        description: 'The maximum number of submissions to return, from 1 to 100.',
      }),
    },
    complexity: ({ first }) => ({ field: 1, multiplier: first ?? REVIEWS_SHOWN }),
    resolve: (_root, { first }, { context }) => templateReviews(context, first ?? REVIEWS_SHOWN),
  }),
);

const decided = (t: PayloadFields<{ readonly id: string }>) => ({
  submissionId: t.id({
    description: 'The ID of the submission that was approved or rejected.',
    resolve: ({ result }) => result && encodeNodeId('TemplateSubmission', result.id),
  }),
});

mutation({
  name: 'templateReviewApprove',
  description:
    'Approves an email submission, with the same effect as an approval by any other approver. Platform admins only.',
  access: 'platformAdmin',
  input: t => ({
    submissionId: t.globalID({ required: true, description: 'The ID of the submission.' }),
  }),
  contract: templateReviewApproveContract,
  codes: ['NOT_FOUND', 'TEMPLATE_SUBMISSION_DECIDED'],
  action: templateReviewApprove,
  payload: decided,
});

mutation({
  name: 'templateReviewReject',
  description: 'Rejects an email submission. Platform admins only.',
  access: 'platformAdmin',
  input: t => ({
    submissionId: t.globalID({ required: true, description: 'The ID of the submission.' }),
    reason: t.string({ required: true, description: 'The changes that the authors must make.' }),
  }),
  contract: templateReviewRejectContract,
  codes: ['NOT_FOUND', 'TEMPLATE_SUBMISSION_DECIDED'],
  action: templateReviewReject,
  payload: decided,
});
