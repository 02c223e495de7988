import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant, textArray } from '../platform/database/columns.ts';

export type WidgetState = 'QUEUED' | 'SERVED' | 'VIEWED' | 'CLICKED' | 'DISMISSED';

const WidgetStepExecutionSchema = defineEntity({
  name: 'WidgetStepExecution',
  tableName: 'widget_step_executions',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    userId: p.text(),
    enrolmentId: p.uuid().nullable(),
    nodeId: p.text().default(''),
    campaignId: p.uuid(),
    name: p.text().default(''),
    type: p.text(),
    surfaces: textArray(),
    content: p.json<Record<string, unknown>>(),
    priority: p.integer().default(0),
    variantId: p.text().nullable(),
    consentPurpose: p.text().default('marketing'),
    isCapExempt: p.boolean().default(false),
    expiresAt: instant().nullable(),
    state: p.text().$type<WidgetState>().default('QUEUED'),
    ackedStepId: p.text().nullable(),
    ackedVariantId: p.text().nullable(),
    queuedAt: createdAt(),
    servedAt: instant().nullable(),
    viewedAt: instant().nullable(),
    clickedAt: instant().nullable(),
    dismissedAt: instant().nullable(),
  },
});

/** A widget that a journey queued for one person, and how far it came. */
export class WidgetStepExecution extends WidgetStepExecutionSchema.class {}
WidgetStepExecutionSchema.setClass(WidgetStepExecution);
