import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from './database/columns.ts';

export const AuditEntrySchema = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_log',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid().nullable(),
    workspaceId: p.uuid().nullable(),
    actorId: p.text(),
    action: p.text(),
    subjectType: p.text(),
    subjectId: p.text(),
    before: p.json<Readonly<Record<string, unknown>>>().nullable(),
    after: p.json<Readonly<Record<string, unknown>>>().nullable(),
    requestId: p.text(),
    createdAt: createdAt(),
  },
});

/** An entry of the audit log, which is append-only. */
export class AuditEntry extends AuditEntrySchema.class {}
AuditEntrySchema.setClass(AuditEntry);
