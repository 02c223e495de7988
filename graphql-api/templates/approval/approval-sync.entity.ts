import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../../platform/database/columns.ts';
import type { TemplateChannel } from '../content.ts';

export const ApprovalSyncSchema = defineEntity({
  name: 'ApprovalSync',
  tableName: 'approval_syncs',
  properties: {
    workspaceId: p.uuid().primary(),
    channel: p.text().$type<TemplateChannel>().primary(),
    lastAttemptAt: instant(),
    lastSuccessAt: instant().nullable(),
    fault: p.text().nullable(),
  },
});

/** When an approver was last queried about a workspace's submissions. */
export class ApprovalSync extends ApprovalSyncSchema.class {}
ApprovalSyncSchema.setClass(ApprovalSync);
