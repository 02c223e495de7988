import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';

const ExposureSchema = defineEntity({
  name: 'Exposure',
  tableName: 'exposures',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    userId: p.text(),
    campaignId: p.text(),
    eventType: p.text().$type<'impression' | 'clicked' | 'dismissed'>(),
    occurredAt: instant(),
  },
});

/** What a person was shown in-app, and what they did with it. */
export class Exposure extends ExposureSchema.class {}
ExposureSchema.setClass(Exposure);
