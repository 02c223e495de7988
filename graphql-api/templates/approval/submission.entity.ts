import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../../platform/database/columns.ts';
import type { TemplateChannel } from '../content.ts';

export const TemplateSubmissionSchema = defineEntity({
  name: 'TemplateSubmission',
  tableName: 'template_submissions',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    templateId: p.uuid(),
    versionId: p.uuid(),
    channel: p.text().$type<TemplateChannel>(),
    state: p.text().$type<'PENDING' | 'APPROVED' | 'REJECTED' | 'CANCELED'>().default('PENDING'),
    reason: p.text().nullable(),
    upstreamId: p.text().nullable(),
    upstreamName: p.text().nullable(),
    submittedBy: p.text(),
    submittedAt: instant(),
    decidedAt: instant().nullable(),
    slaDueAt: instant(),
    alertedAt: instant().nullable(),
  },
});

/** One submission of a version to its channel's approver. */
export class TemplateSubmission extends TemplateSubmissionSchema.class {}
TemplateSubmissionSchema.setClass(TemplateSubmission);
