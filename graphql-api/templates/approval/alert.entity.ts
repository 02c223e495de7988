import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../../platform/database/columns.ts';
import type { TemplateChannel } from '../content.ts';

export const TemplateAlertSchema = defineEntity({
  name: 'TemplateAlert',
  tableName: 'template_alerts',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    templateId: p.uuid(),
    versionId: p.uuid(),
    submissionId: p.uuid(),
    channel: p.text().$type<TemplateChannel>(),
    step: p.integer(),
    dueAt: instant(),
    clearedAt: instant().nullable(),
    clearedBy: p.text().$type<'APPROVED' | 'REJECTED' | 'CANCELED'>().nullable(),
    createdAt: instant(),
  },
});

/** An alert that a submission has been pending for too long. */
export class TemplateAlert extends TemplateAlertSchema.class {}
TemplateAlertSchema.setClass(TemplateAlert);
