import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../../platform/database/columns.ts';
import type { TemplateChannel } from '../content.ts';
import type { UpstreamHealth } from '../transitions.ts';

export const ApprovalSendingSchema = defineEntity({
  name: 'ApprovalSending',
  tableName: 'approval_sendings',
  properties: {
    submissionId: p.uuid().primary(),
    workspaceId: p.uuid(),
    channel: p.text().$type<TemplateChannel>(),
    state: p
      .text()
      .$type<'WAITING' | 'SENDING' | 'SENT' | 'REFUSED' | 'WITHDRAWN'>()
      .default('WAITING'),
    attempts: p.integer().default(0),
    nextAttemptAt: instant().nullable(),
    sentAt: instant().nullable(),
    fault: p.text().nullable(),
    upstreamStatus: p.text().nullable(),
    seenAt: instant().nullable(),
    missingSince: instant().nullable(),
    health: p.text().$type<UpstreamHealth>().nullable(),
    healthAt: instant().nullable(),
    healthUntil: instant().nullable(),
    createdAt: createdAt(),
  },
});

/** The progress of sending a submission to its approver. */
export class ApprovalSending extends ApprovalSendingSchema.class {}
ApprovalSendingSchema.setClass(ApprovalSending);
