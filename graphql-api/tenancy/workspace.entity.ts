import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../platform/database/columns.ts';

export const WorkspaceSchema = defineEntity({
  name: 'Workspace',
  tableName: 'workspaces',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    cellId: p.uuid(),
    name: p.text(),
    inAppDailyMax: p.integer().nullable(),
    inAppIntervalSecondsMin: p.integer().nullable(),
    createdAt: createdAt(),
  },
});

/** Holds the contacts, campaigns and SDK keys of one product of an organization. */
export class Workspace extends WorkspaceSchema.class {}
WorkspaceSchema.setClass(Workspace);
