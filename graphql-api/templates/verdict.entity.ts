import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';

const TemplateVerdictSchema = defineEntity({
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

/** What an approver said of a submission, and whether it changed anything; only ever added. */
export class TemplateVerdict extends TemplateVerdictSchema.class {}
TemplateVerdictSchema.setClass(TemplateVerdict);
