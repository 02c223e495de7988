import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../platform/database/columns.ts';

const WorkspaceSchema = defineEntity({
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

/** Where an organisation keeps one product's people, campaigns and keys. */
export class Workspace extends WorkspaceSchema.class {}
WorkspaceSchema.setClass(Workspace);
