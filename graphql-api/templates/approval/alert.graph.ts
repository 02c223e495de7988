import { connectionType, pageQuery } from '../../platform/graph/connection.ts';
import { expose, linked, memberObject } from '../../platform/graph/fields.ts';
import { reject } from '../../platform/rejected.ts';
import { TemplateChannelEnum } from '../content.graph.ts';
import { TemplateVersionRef, templateVersionById } from '../version.graph.ts';
import type { TemplateAlert } from './alert.entity.ts';
import { approvalEventsPage, templateAlertsPage } from './approval.reads.ts';
import type { ApprovalEvent } from './approval-event.entity.ts';

const AlertRef = memberObject<TemplateAlert>('TemplateAlert', {
  description: 'An alert about a submission that has been pending for too long.',
  fields: t => ({
    templateVersion: linked(
      t,
      'versionId',
      TemplateVersionRef,
      templateVersionById,
      'The submitted version.',
    ),
    ...expose(t, TemplateChannelEnum, { channel: 'The channel of the approver.' }),
    ...expose(t, 'Int!', {
      step: 'The number of the alert, from 1 to 3. The first alert is raised at the deadline, and each further alert is raised a day after the previous one.',
    }),
    ...expose(t, 'DateTime!', {
      dueAt: 'The deadline for the verdict.',
      createdAt: 'When the alert was raised.',
    }),
    ...expose(t, 'DateTime', {
      clearedAt:
        'When the approver decided, or when the submission was canceled; null while it is pending.',
    }),
    ...expose(t, 'String', {
      clearedBy:
        'Why the alert was cleared: APPROVED, REJECTED or CANCELED; null while the submission is pending.',
    }),
  }),
});

pageQuery('templateAlerts', {
  type: connectionType('TemplateAlert', AlertRef),
  description: 'The alerts about late approvals, most recent first.',
  args: arg => ({
    isCleared: arg.boolean({ description: 'Filters by whether the alert was cleared.' }),
  }),
  page: (context, page, { isCleared }) => templateAlertsPage(context, page, isCleared),
});

const ApprovalEventRef = memberObject<ApprovalEvent>('TemplateApprovalEvent', {
  description: 'A notification from an approver, and its effect.',
  fields: t => ({
    templateVersion: linked(
      t,
      'versionId',
      TemplateVersionRef,
      templateVersionById,
      'The version that the notification is about; null if unknown.',
    ),
    ...expose(t, 'String!', {
      source: 'The source of the notification: WEBHOOK, POLL or SYNC.',
      word: 'The status as the approver sent it.',
      upstreamName: 'The name that the approver uses for the version.',
      state: 'The state: PROCESSED, or IGNORED if the notification had no effect.',
    }),
    ...expose(t, 'String', {
      reason: 'The reason that the approver gave; null if there is none.',
      why: 'A code for the effect, such as APPROVED, REJECTED or HEALTH_PAUSED; if there was no effect, a code for the reason, such as DECIDED, CANCELED or OLDER.',
    }),
    ...expose(t, 'DateTime!', {
      occurredAt: 'When the reported change occurred, according to the approver’s clock.',
    }),
    receivedAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the notification was received.',
    }),
  }),
});

pageQuery('templateApprovalEvents', {
  type: connectionType('TemplateApprovalEvent', ApprovalEventRef),
  description: 'The notifications from approvers and their effects, most recent first.',
  args: arg => ({ versionId: arg.globalID({ description: 'Filters by version.' }) }),
  page: (context, page, { versionId }) => {
    if (versionId != null && versionId.typename !== 'TemplateVersion')
      return reject('INVALID_ID', { field: ['versionId'] });
    return approvalEventsPage(context, page, versionId?.id);
  },
});
