import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../../platform/database/columns.ts';
import type { TemplateChannel } from '../content.ts';

export const ApprovalEventSchema = defineEntity({
  name: 'ApprovalEvent',
  tableName: 'approval_events',
  properties: {
    id: p.uuid().primary(),
    channel: p.text().$type<TemplateChannel>(),
    source: p.text().$type<'WEBHOOK' | 'POLL' | 'SYNC'>(),
    eventKey: p.text(),
    upstreamName: p.text(),
    upstreamId: p.text().nullable(),
    word: p.text(),
    reason: p.text().nullable(),
    healthUntil: instant().nullable(),
    occurredAt: instant(),
    body: p.blob().columnType('bytea').lazy(),
    state: p.text().$type<'RECEIVED' | 'PROCESSED' | 'IGNORED' | 'FAILED'>().default('RECEIVED'),
    why: p.text().nullable(),
    attempts: p.integer().default(0),
    nextAttemptAt: instant().nullable(),
    workspaceId: p.uuid().nullable(),
    submissionId: p.uuid().nullable(),
    versionId: p.uuid().nullable(),
    processedAt: instant().nullable(),
    createdAt: createdAt(),
  },
});

/** A notification from an approver, with its effect. */
export class ApprovalEvent extends ApprovalEventSchema.class {}
ApprovalEventSchema.setClass(ApprovalEvent);
