import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../platform/database/columns.ts';

export const PrivacySettingsSchema = defineEntity({
  name: 'PrivacySettings',
  tableName: 'privacy_settings',
  properties: {
    workspaceId: p.uuid().primary(),
    lateDays: p.integer(),
    updatedAt: createdAt(),
  },
});

/** A workspace without a row has the defaults. */
export class PrivacySettings extends PrivacySettingsSchema.class {}
PrivacySettingsSchema.setClass(PrivacySettings);
