import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';

const JourneySignalSchema = defineEntity({
  name: 'JourneySignal',
  tableName: 'journey_signals',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    stepExecutionId: p.uuid(),
    enrolmentId: p.uuid().nullable(),
    outcome: p.text().$type<'CLICKED' | 'DISMISSED'>(),
    variantId: p.text().nullable(),
    occurredAt: instant(),
    consumedAt: instant().nullable(),
  },
});

/** That a journey may go on behind a widget. */
export class JourneySignal extends JourneySignalSchema.class {}
JourneySignalSchema.setClass(JourneySignal);
