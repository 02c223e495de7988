// Where approvals stand: how submissions get along, when approvers were asked, after how long people
// are told; and "sync now".

import { builder } from '../../platform/graph/builder.ts';
import { loaderById } from '../../platform/graph/loader.ts';
import { mutation } from '../../platform/graph/mutation.ts';
import { TemplateChannelEnum } from '../content.graph.ts';
import type { VerdictPatience } from '../verdict-due.ts';
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
import { templateApprovalSync } from './sync-approvals.ts';
import { templateApprovalSettingsUpdate } from './update-settings.ts';

const sendingById = loaderById(sendingsOfSubmissions);

const SendingStateEnum = builder.enumType('TemplateSendingState', {
  description: 'How far a submission has come on its way to the approver.',
  values: {
    WAITING: { description: 'It was not sent yet.' },
    SENDING: { description: 'It was sent, and there is no answer yet.' },
    SENT: { description: 'The approver has it.' },
    REFUSED: { description: 'The approver would not take it.' },
    WITHDRAWN: { description: 'It was taken back.' },
  } as const,
});

builder.objectFields(TemplateSubmissionRef, t => ({
  sending: t.field({
    type: SendingStateEnum,
    description: 'How far it has come; null before anybody took it up.',
    resolve: async ({ id }, _args, graph) => (await sendingById(graph, id))?.sending.state,
  }),
  sendingFault: t.string({
    description: 'Why the last attempt to send it failed; it is tried again.',
    resolve: async ({ id }, _args, graph) => (await sendingById(graph, id))?.sending.fault,
  }),
  upstreamStatus: t.string({
    description: 'What the approver’s list says of it; MISSING where it is not in it.',
    resolve: async ({ id }, _args, graph) => (await sendingById(graph, id))?.sending.upstreamStatus,
  }),
  upstreamSeenAt: t.field({
    type: 'DateTime',
    description: 'When the approver last said anything of it.',
    resolve: async ({ id }, _args, graph) => (await sendingById(graph, id))?.sending.seenAt,
  }),
}));

const ChannelApprovalRef = builder.objectRef<ChannelApproval>('TemplateChannelApproval').implement({
  description: 'A channel’s approver, as this workspace sees it.',
  authScopes: { member: true },
  fields: t => ({
    channel: t.field({
      type: TemplateChannelEnum,
      nullable: false,
      description: 'The channel.',
      resolve: ({ channel }) => channel,
    }),
    isConfigured: t.exposeBoolean('isConfigured', {
      nullable: false,
      description: 'Whether there is an approver; submissions wait while there is none.',
    }),
    lastSyncAttemptAt: t.field({
      type: 'DateTime',
      description: 'When it was last asked how everything stands.',
      resolve: ({ sync }) => sync?.lastAttemptAt,
    }),
    lastSyncAt: t.field({
      type: 'DateTime',
      description: 'When it last answered that.',
      resolve: ({ sync }) => sync?.lastSuccessAt,
    }),
    fault: t.string({
      description: 'Why it did not, the last time.',
      resolve: ({ sync }) => sync?.fault,
    }),
  }),
});

const SettingsRef = builder.objectRef<VerdictPatience>('TemplateApprovalSettings').implement({
  description: 'After how long without a verdict people are told.',
  authScopes: { member: true },
  fields: t => ({
    messagingAppHours: t.exposeInt('messagingAppHours', {
      nullable: false,
      description: 'Of the messaging app, in hours.',
    }),
    smsBusinessDays: t.exposeInt('smsBusinessDays', {
      nullable: false,
      description: 'Of SMS, in days from Monday to Friday in India.',
    }),
    emailHours: t.exposeInt('emailHours', {
      nullable: false,
      description: 'Of email, in hours.',
    }),
  }),
});

builder.queryField('templateApprovals', t =>
  t.field({
    type: [ChannelApprovalRef],
    nullable: false,
    description: 'The approvers of the channels, and when they were last asked.',
    authScopes: { member: true },
    complexity: 3,
    resolve: async (_root, _args, { context }) => [...(await channelApprovals(context))],
  }),
);

builder.queryField('templateApprovalSettings', t =>
  t.field({
    type: SettingsRef,
    nullable: false,
    description: 'After how long without a verdict people are told.',
    authScopes: { member: true },
    complexity: 1,
    resolve: (_root, _args, { context }) => approvalSettings(context),
  }),
);

mutation({
  name: 'templateApprovalSettingsUpdate',
  description: 'Changes after how long people are told, of what is submitted from now on.',
  access: 'owner',
  input: t => ({
    messagingAppHours: t.int({ description: 'Of the messaging app, in hours: 1 to 720.' }),
    smsBusinessDays: t.int({ description: 'Of SMS, in Indian business days: 1 to 30.' }),
    emailHours: t.int({ description: 'Of email, in hours: 1 to 720.' }),
  }),
  contract: templateApprovalSettingsUpdateContract,
  codes: [],
  action: templateApprovalSettingsUpdate,
  payload: t => ({
    settings: t.field({
      type: SettingsRef,
      description: 'As they are now.',
      resolve: ({ result }, _args, { context }) => result && approvalSettings(context),
    }),
  }),
});

mutation({
  name: 'templateApprovalSync',
  description:
    'Sends what waits, and asks the approvers now how the workspace’s submissions stand.',
  access: 'member',
  contract: templateApprovalSyncContract,
  codes: ['TEMPLATE_SYNC_TOO_SOON'],
  process: templateApprovalSync,
  payload: t => ({
    changed: t.int({
      description: 'Of how many submissions there was news.',
      resolve: ({ result }) => result?.changed,
    }),
    faults: t.stringList({
      description: 'Which approvers could not be asked, and why.',
      resolve: ({ result }) => result && [...result.faults],
    }),
    templateApprovals: t.field({
      type: [ChannelApprovalRef],
      description: 'When they were last asked.',
      resolve: async ({ result }, _args, { context }) =>
        result && [...(await channelApprovals(context))],
    }),
  }),
});
