// The progress of approvals: how far submissions are, when approvers were last queried, the alert
// deadlines, and the mutation for an immediate sync.

import { builder } from '../../platform/graph/builder.ts';
import { describedEnum } from '../../platform/graph/described-enum.ts';
import { expose, memberObject } from '../../platform/graph/fields.ts';
import { loaderById } from '../../platform/graph/loader.ts';
import { mutation } from '../../platform/graph/mutation.ts';
import { TemplateChannelEnum } from '../content.graph.ts';
import type { ApprovalDeadlines } from '../verdict-due.ts';
import { TemplateSubmissionRef } from '../version-standing.graph.ts';
import {
  templateApprovalSettingsUpdateContract,
  templateApprovalSyncContract,
} from './approval.contract.ts';
import {
  approvalSettings,
  type ChannelApproval,
  channelApprovals,
  sendingsOfSubmissions,
} from './approval.reads.ts';
import { templateApprovalSettingsUpdate } from './approval-settings.ts';
import { templateApprovalSync } from './sync-approvals.ts';

const sendingById = loaderById(sendingsOfSubmissions);

const SendingStateEnum = describedEnum(
  'TemplateSendingState',
  'Whether a submission has been sent to its approver.',
  {
    WAITING: 'The submission has not been sent yet.',
    SENDING: 'The submission was sent but has not been acknowledged yet.',
    SENT: 'The approver acknowledged the submission.',
    REFUSED: 'The approver’s API rejected the submission.',
    WITHDRAWN: 'The submission was canceled.',
  },
);

builder.objectFields(TemplateSubmissionRef, t => ({
  sending: t.field({
    type: SendingStateEnum,
    description:
      'Whether the submission has been sent to the approver; null if it has not been queued for sending.',
    resolve: async ({ id }, _args, graph) => (await sendingById(graph, id))?.sending.state,
  }),
  sendingFault: t.string({
    description:
      'Why the last attempt to send the submission failed; null if it did not fail. Failed attempts are retried.',
    resolve: async ({ id }, _args, graph) => (await sendingById(graph, id))?.sending.fault,
  }),
  upstreamStatus: t.string({
    description:
      'The status of the submission in the approver’s list. MISSING if the list does not contain the submission; null if the list was never checked.',
    resolve: async ({ id }, _args, graph) => (await sendingById(graph, id))?.sending.upstreamStatus,
  }),
  upstreamSeenAt: t.field({
    type: 'DateTime',
    description: 'When the approver last reported a status; null if never.',
    resolve: async ({ id }, _args, graph) => (await sendingById(graph, id))?.sending.seenAt,
  }),
}));

const ChannelApprovalRef = memberObject<ChannelApproval>('TemplateChannelApproval', {
  description: 'The approver of a channel, and its last sync with the viewer’s workspace.',
  fields: t => ({
    ...expose(t, TemplateChannelEnum, { channel: 'The channel.' }),
    ...expose(t, 'Boolean!', {
      isConfigured:
        'Whether an approver is configured. Submissions wait until an approver is configured.',
    }),
    ...expose(t, 'DateTime', {
      lastSyncAttemptAt: 'When a sync with the approver was last attempted; null if never.',
      lastSyncAt: 'When a sync with the approver last succeeded; null if never.',
    }),
    ...expose(t, 'String', {
      fault: 'Why the last sync failed; null if it succeeded.',
    }),
  }),
});

const SettingsRef = memberObject<ApprovalDeadlines>('TemplateApprovalSettings', {
  description: 'The deadlines after which an alert is raised for a pending submission.',
  fields: t =>
    expose(t, 'Int!', {
      messagingAppHours: 'The deadline for messaging-app submissions, in hours.',
      smsBusinessDays:
        'The deadline for SMS submissions, in business days (Monday to Friday in India).',
      emailHours: 'The deadline for email submissions, in hours.',
    }),
});

builder.queryField('templateApprovals', t =>
  t.field({
    type: [ChannelApprovalRef],
    nullable: false,
    description: 'The approver of each channel, and the result of the last sync with it.',
    authScopes: { member: true },
    complexity: 3,
    resolve: (_root, _args, { context }) => channelApprovals(context),
  }),
);

builder.queryField('templateApprovalSettings', t =>
  t.field({
    type: SettingsRef,
    nullable: false,
    description: 'The deadlines after which an alert is raised for a pending submission.',
    authScopes: { member: true },
    complexity: 1,
    resolve: (_root, _args, { context }) => approvalSettings(context),
  }),
);

mutation({
  name: 'templateApprovalSettingsUpdate',
  description:
    'Updates the deadlines after which an alert is raised for a pending submission. The change applies to future submissions. Omitted fields are unchanged.',
  access: 'owner',
  input: t => ({
    messagingAppHours: t.int({
      description: 'The deadline for messaging-app submissions, in hours: 1 to 720.',
    }),
    smsBusinessDays: t.int({
      description: 'The deadline for SMS submissions, in Indian business days: 1 to 30.',
    }),
    emailHours: t.int({ description: 'The deadline for email submissions, in hours: 1 to 720.' }),
  }),
  contract: templateApprovalSettingsUpdateContract,
  codes: [],
  action: templateApprovalSettingsUpdate,
  payload: t => ({
    settings: t.field({
      type: SettingsRef,
      description: 'The updated settings.',
      resolve: ({ result }, _args, { context }) => result && approvalSettings(context),
    }),
  }),
});

mutation({
  name: 'templateApprovalSync',
  description:
    'Sends the workspace’s waiting submissions to the approvers, then queries the approvers for the status of the workspace’s submissions.',
  access: 'member',
  contract: templateApprovalSyncContract,
  codes: ['TEMPLATE_SYNC_TOO_SOON'],
  process: templateApprovalSync,
  payload: t => ({
    changed: t.int({
      description: 'The number of submissions whose status changed.',
      resolve: ({ result }) => result?.changed,
    }),
    faults: t.stringList({
      description: 'The approvers that could not be queried, each with the reason.',
      resolve: ({ result }) => result && [...result.faults],
    }),
    templateApprovals: t.field({
      type: [ChannelApprovalRef],
      description: 'The approver of each channel, and the result of the last sync with it.',
      resolve: ({ result }, _args, { context }) => result && channelApprovals(context),
    }),
  }),
});
