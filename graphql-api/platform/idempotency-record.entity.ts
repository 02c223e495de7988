import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from './database/columns.ts';

const IdempotencyRecordSchema = defineEntity({
  name: 'IdempotencyRecord',
  tableName: 'idempotency_records',
  properties: {
    organizationId: p.uuid().primary(),
    operation: p.text().primary(),
    key: p.text().primary(),
    requestHash: p.blob(),
    result: p.json<unknown>().nullable(),
    createdAt: createdAt(),
  },
});

/** The answer to a request with an idempotency key. */
export class IdempotencyRecord extends IdempotencyRecordSchema.class {}
IdempotencyRecordSchema.setClass(IdempotencyRecord);
