import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../platform/database/columns.ts';

const ConsentSchema = defineEntity({
  name: 'Consent',
  tableName: 'consents',
  properties: {
    contactId: p.uuid().primary(),
    purpose: p.text().primary(),
    workspaceId: p.uuid(),
    status: p.text().$type<'GRANTED' | 'DENIED'>(),
    version: p.integer().default(1),
    source: p.text().default(''),
    recordedAt: createdAt(),
  },
});

/** Whether a person agreed to a purpose; its version goes up with each change. */
export class Consent extends ConsentSchema.class {}
ConsentSchema.setClass(Consent);
