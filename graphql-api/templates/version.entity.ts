import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';
import type { TemplateButton, TemplateChannel, TemplateExtras, TemplateHeader } from './content.ts';
import type { TemplateState, UpstreamHealth } from './transitions.ts';
import type { TemplateVariable } from './variables.ts';

export const TemplateVersionSchema = defineEntity({
  name: 'TemplateVersion',
  tableName: 'template_versions',
  properties: {
    id: p.uuid().primary(),
    templateId: p.uuid(),
    workspaceId: p.uuid(),
    channel: p.text().$type<TemplateChannel>(),
    language: p.text(),
    number: p.integer(),
    state: p.text().$type<TemplateState>().default('Draft'),
    category: p.text().nullable(),
    body: p.text(),
    header: p.json<TemplateHeader>().nullable(),
    footer: p.text().nullable(),
    buttons: p.json<readonly TemplateButton[]>().default('[]'),
    extras: p.json<TemplateExtras>().fieldName('content').default('{}'),
    variables: p.json<readonly TemplateVariable[]>().default('[]'),
    contentHash: p.text(),
    forceRollout: p.boolean().default(false),
    isPinned: p.boolean().default(false),
    upstreamHealth: p.text().$type<UpstreamHealth>().default('OK'),
    healthUntil: instant().nullable(),
    submissionId: p.uuid().nullable(),
    submittedAt: instant().nullable(),
    approvedAt: instant().nullable(),
    activatedAt: instant().nullable(),
    supersededAt: instant().nullable(),
    archivedAt: instant().nullable(),
    rejectionReason: p.text().nullable(),
    restoredFromId: p.uuid().nullable(),
    basedOnId: p.uuid().nullable(),
    changeSource: p.text().$type<'CREATED' | 'RESTORED' | 'CATALOG'>(),
    note: p.text().default(''),
    revision: p.integer().default(1),
    createdBy: p.text(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});

/** The content of a template for one channel and language, with its approval state. */
export class TemplateVersion extends TemplateVersionSchema.class {}
TemplateVersionSchema.setClass(TemplateVersion);
