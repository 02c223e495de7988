import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';

export const TemplateVerdictSchema = defineEntity({
  name: 'TemplateVerdict',
  tableName: 'template_verdicts',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    submissionId: p.uuid(),
    verdict: p.text().$type<'APPROVED' | 'REJECTED'>(),
    reason: p.text().nullable(),
    outcome: p.text().$type<'APPLIED' | 'IGNORED'>(),
    ignoredBecause: p.text().nullable(),
    receivedAt: instant(),
  },
});

/** A verdict of an approver, and whether it was applied. Append-only. */
export class TemplateVerdict extends TemplateVerdictSchema.class {}
TemplateVerdictSchema.setClass(TemplateVerdict);
