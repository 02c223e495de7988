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
  description: 'That a submission waits for its verdict for too long.',
  authScopes: { member: true },
  fields: t => ({
    templateVersion: t.field({
      type: TemplateVersionRef,
      description: 'What was submitted.',
      resolve: ({ versionId }, _args, graph) => templateVersionById(graph, versionId),
    }),
    channel: t.field({
      type: TemplateChannelEnum,
      nullable: false,
      description: 'Whose approver is late.',
      resolve: ({ channel }) => channel,
    }),
    step: t.exposeInt('step', {
      nullable: false,
      description: 'The first one when it is due, then one a day, three in all.',
    }),
    dueAt: t.expose('dueAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When there should have been a verdict.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was told.',
    }),
    clearedAt: t.expose('clearedAt', {
      type: 'DateTime',
      description: 'When the waiting ended; null while it goes on.',
    }),
    clearedBy: t.exposeString('clearedBy', { description: 'APPROVED, REJECTED or CANCELED.' }),
  }),
});

const AlertConnection = connectionType('TemplateAlert', AlertRef);

builder.queryField('templateAlerts', t =>
  t.field({
    type: AlertConnection,
    nullable: false,
    description: 'Submissions that waited for too long, the last alert first.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      isCleared: t.arg.boolean({ description: 'Only those that are over, or that are not.' }),
    },
    complexity: pageCost,
    resolve: async (_root, args, { context }) =>
      connectionOfPage(await templateAlertsPage(context, args, args.isCleared), args),
  }),
);

const ApprovalEventRef = builder.objectRef<ApprovalEvent>('TemplateApprovalEvent').implement({
  description: 'Something that an approver said, and what it did.',
  authScopes: { member: true },
  fields: t => ({
    templateVersion: t.field({
      type: TemplateVersionRef,
      description: 'What it is about.',
      resolve: ({ versionId }, _args, graph) =>
        versionId == null ? null : templateVersionById(graph, versionId),
    }),
    source: t.exposeString('source', {
      nullable: false,
      description: 'WEBHOOK; or POLL or SYNC, where we asked.',
    }),
    word: t.exposeString('word', { nullable: false, description: 'The approver’s own word.' }),
    reason: t.exposeString('reason', { description: 'Why, in the approver’s words.' }),
    upstreamName: t.exposeString('upstreamName', {
      nullable: false,
      description: 'What the approver calls the version.',
    }),
    state: t.exposeString('state', {
      nullable: false,
      description: 'PROCESSED, or IGNORED: it changed nothing.',
    }),
    why: t.exposeString('why', {
      description:
        'What it did (APPROVED, REJECTED, HEALTH_…), or why nothing: DECIDED, CANCELED, STALE, OLDER, KNOWN, NO_EFFECT …',
    }),
    occurredAt: t.expose('occurredAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it happened, by the approver’s clock.',
    }),
    receivedAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When we heard of it.',
    }),
  }),
});

const ApprovalEventConnection = connectionType('TemplateApprovalEvent', ApprovalEventRef);

builder.queryField('templateApprovalEvents', t =>
  t.field({
    type: ApprovalEventConnection,
    nullable: false,
    description: 'What approvers said, the last first, and what was done about it.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      versionId: t.arg.globalID({ description: 'Only of this version.' }),
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
