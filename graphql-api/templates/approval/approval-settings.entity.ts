import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../../platform/database/columns.ts';

const ApprovalSettingsSchema = defineEntity({
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

/** After how long without a verdict a workspace's operators are told. */
export class ApprovalSettings extends ApprovalSettingsSchema.class {}
ApprovalSettingsSchema.setClass(ApprovalSettings);
