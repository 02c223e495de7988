import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../platform/database/columns.ts';

export const ConsentSchema = defineEntity({
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

/** A person’s consent for a purpose. Each change increments its version. */
export class Consent extends ConsentSchema.class {}
ConsentSchema.setClass(Consent);
