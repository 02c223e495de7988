import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../../platform/database/columns.ts';

/** A workspace's alert deadlines for pending submissions. */
export const ApprovalSettingsSchema = defineEntity({
  name: 'ApprovalSettings',
  tableName: 'approval_settings',
  properties: {
    workspaceId: p.uuid().primary(),
    messagingAppHours: p.integer(),
    smsBusinessDays: p.integer(),
    emailHours: p.integer(),
    updatedAt: createdAt(),
  },
});
