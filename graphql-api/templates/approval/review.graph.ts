// The channel whose approvers are people: the queue of platform admins, across organisations.

import { builder } from '../../platform/graph/builder.ts';
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
  description: 'An email that waits for a person’s verdict.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    submissionId: t.id({
      nullable: false,
      description: 'What templateReviewApprove and templateReviewReject take.',
      resolve: ({ submissionId }) => encodeNodeId('TemplateSubmission', submissionId),
    }),
    organizationName: t.exposeString('organizationName', {
      nullable: false,
      description: 'Whose it is.',
    }),
    templateName: t.exposeString('templateName', {
      nullable: false,
      description: 'What they call it.',
    }),
    language: t.exposeString('language', { nullable: false, description: 'Such as en or pt_BR.' }),
    number: t.exposeInt('number', { nullable: false, description: 'Which version it is.' }),
    subject: t.exposeString('subject', { description: 'The subject.' }),
    body: t.exposeString('body', { nullable: false, description: 'The text.' }),
    submittedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'Since when it waits.',
      resolve: ({ submittedAt }) => new Date(submittedAt),
    }),
    dueAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'From when its owners are told that it waits for too long.',
      resolve: ({ dueAt }) => new Date(dueAt),
    }),
  }),
});

builder.queryField('templateReviews', t =>
  t.field({
    type: [ReviewRef],
    nullable: false,
    description:
      'Emails that wait for a verdict, for platform admins; who waited longest comes first.',
    authScopes: { platformAdmin: true },
    args: {
      first: t.arg.int({ defaultValue: REVIEWS_SHOWN, description: 'How many: 1 to 100.' }),
    },
    complexity: ({ first }) => ({ field: 1, multiplier: first ?? REVIEWS_SHOWN }),
    resolve: async (_root, { first }, { context }) => [
      ...(await templateReviews(context, first ?? REVIEWS_SHOWN)),
    ],
  }),
);

const decided = (t: PayloadFields<{ readonly id: string }>) => ({
  submissionId: t.id({
    description: 'The submission that was decided.',
    resolve: ({ result }) => result && encodeNodeId('TemplateSubmission', result.id),
  }),
});

mutation({
  name: 'templateReviewApprove',
  description: 'Approves an email, for platform admins: like the verdict of any other approver.',
  access: 'platformAdmin',
  input: t => ({
    submissionId: t.globalID({ required: true, description: 'The submission.' }),
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
    submissionId: t.globalID({ required: true, description: 'The submission.' }),
    reason: t.string({ required: true, description: 'What to mend, for its authors to read.' }),
  }),
  contract: templateReviewRejectContract,
  codes: ['NOT_FOUND', 'TEMPLATE_SUBMISSION_DECIDED'],
  action: templateReviewReject,
  payload: decided,
});
