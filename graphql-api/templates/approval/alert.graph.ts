import { builder } from '../../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../../platform/graph/connection.ts';
import { reject } from '../../platform/rejected.ts';
import { TemplateChannelEnum } from '../content.graph.ts';
import { TemplateVersionRef, templateVersionById } from '../version.graph.ts';
import type { TemplateAlert } from './alert.entity.ts';
import { approvalEventsPage, templateAlertsPage } from './approval.reads.ts';
import type { ApprovalEvent } from './approval-event.entity.ts';

const AlertRef = builder.objectRef<TemplateAlert>('TemplateAlert').implement({
  description: 'An alert about a submission that has been pending for too long.',
  authScopes: { member: true },
  fields: t => ({
    templateVersion: t.field({
      type: TemplateVersionRef,
      description: 'The submitted version.',
      resolve: ({ versionId }, _args, graph) => templateVersionById(graph, versionId),
    }),
    channel: t.field({
      type: TemplateChannelEnum,
      nullable: false,
      description: 'The channel whose approver is late.',
      resolve: ({ channel }) => channel,
    }),
    step: t.exposeInt('step', {
      nullable: false,
      description: 'The number of the alert, 1 to 3: the first at the deadline, then one a day.',
    }),
    dueAt: t.expose('dueAt', {
      type: 'DateTime',
      nullable: false,
      description: 'The deadline for the verdict.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the alert was raised.',
    }),
    clearedAt: t.expose('clearedAt', {
      type: 'DateTime',
      description: 'When the submission was decided or canceled; null while it is pending.',
    }),
    clearedBy: t.exposeString('clearedBy', {
      description:
        'The reason for clearing: APPROVED, REJECTED or CANCELED; null while it is open.',
    }),
  }),
});

const AlertConnection = connectionType('TemplateAlert', AlertRef);

builder.queryField('templateAlerts', t =>
  t.field({
    type: AlertConnection,
    nullable: false,
    description: 'The alerts about late approvals, most recent first.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      isCleared: t.arg.boolean({ description: 'Filters by whether the alert was cleared.' }),
    },
    complexity: pageCost,
    resolve: async (_root, args, { context }) =>
      connectionOfPage(await templateAlertsPage(context, args, args.isCleared), args),
  }),
);

const ApprovalEventRef = builder.objectRef<ApprovalEvent>('TemplateApprovalEvent').implement({
  description: 'A notification from an approver, and its effect.',
  authScopes: { member: true },
  fields: t => ({
    templateVersion: t.field({
      type: TemplateVersionRef,
      description: 'The version that the notification is about; null if unknown.',
      resolve: ({ versionId }, _args, graph) =>
        versionId == null ? null : templateVersionById(graph, versionId),
    }),
    source: t.exposeString('source', {
      nullable: false,
      description: 'The source of the notification: WEBHOOK, POLL or SYNC.',
    }),
    word: t.exposeString('word', {
      nullable: false,
      description: 'The status as the approver sent it.',
    }),
    reason: t.exposeString('reason', {
      description: 'The reason that the approver gave; null if none.',
    }),
    upstreamName: t.exposeString('upstreamName', {
      nullable: false,
      description: 'The approver’s name for the version.',
    }),
    state: t.exposeString('state', {
      nullable: false,
      description: 'PROCESSED, or IGNORED if it had no effect.',
    }),
    why: t.exposeString('why', {
      description:
        'The effect (APPROVED, REJECTED, HEALTH_…), or the reason for none: DECIDED, CANCELED, STALE, OLDER, KNOWN, NO_EFFECT …',
    }),
    occurredAt: t.expose('occurredAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the event occurred, by the approver’s clock.',
    }),
    receivedAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the notification was received.',
    }),
  }),
});

const ApprovalEventConnection = connectionType('TemplateApprovalEvent', ApprovalEventRef);

builder.queryField('templateApprovalEvents', t =>
  t.field({
    type: ApprovalEventConnection,
    nullable: false,
    description: 'The notifications from approvers and their effects, most recent first.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      versionId: t.arg.globalID({ description: 'Filters by version.' }),
    },
    complexity: pageCost,
    resolve: async (_root, args, { context }) => {
      const { versionId } = args;
      if (versionId != null && versionId.typename !== 'TemplateVersion')
        return reject('INVALID_ID', { field: ['versionId'] });
      return connectionOfPage(await approvalEventsPage(context, args, versionId?.id), args);
    },
  }),
);
