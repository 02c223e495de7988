import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../platform/database/columns.ts';

const CellSchema = defineEntity({
  name: 'Cell',
  tableName: 'cells',
  properties: {
    id: p.uuid().primary(),
    slug: p.text(),
    region: p.text(),
    isEnabled: p.boolean().default(true),
    /** Of each organisation here that has no limit of its own. */
    ingressEventsPerMinute: p.integer().nullable(),
    createdAt: createdAt(),
  },
});

/** A region's warehouse; a workspace belongs to one. */
export class Cell extends CellSchema.class {}
CellSchema.setClass(Cell);
