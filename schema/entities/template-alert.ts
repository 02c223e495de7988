import { defineEntity, p } from '@mikro-orm/core';
import type { TemplateChannel } from '../rules/templates/content.ts';
import { instant } from './columns.ts';

const TemplateAlertSchema = defineEntity({
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

/** That a submission waits for too long. */
export class TemplateAlert extends TemplateAlertSchema.class {}
TemplateAlertSchema.setClass(TemplateAlert);
