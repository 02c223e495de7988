import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant, textArray } from '../platform/database/columns.ts';

export const CampaignSchema = defineEntity({
  name: 'Campaign',
  tableName: 'campaigns',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    name: p.text(),
    type: p.text(),
    status: p.text().$type<'DRAFT' | 'LIVE' | 'PAUSED' | 'ARCHIVED'>().default('DRAFT'),
    surfaces: textArray(),
    content: p.json<Record<string, unknown>>(),
    priority: p.integer().default(0),
    startsAt: instant().nullable(),
    endsAt: instant().nullable(),
    audience: p.json<unknown>().nullable(),
    consentPurpose: p.text().default('marketing'),
    endsOn: textArray(['clicked', 'dismissed']),
    totalMax: p.integer().nullable(),
    windowMax: p.integer().nullable(),
    windowSeconds: p.integer().nullable(),
    intervalSecondsMin: p.integer().nullable(),
    isCapExempt: p.boolean().default(false),
    variants: p.json<unknown[]>(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    version: p.integer().default(1),
    // Written by the database, for processes that follow changes of campaigns.
    changedIn: p.string().columnType('xid8').persist(false),
  },
});

/** An in-app campaign, shown to the people in its audience. */
export class Campaign extends CampaignSchema.class {}
CampaignSchema.setClass(Campaign);
