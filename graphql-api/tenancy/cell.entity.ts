import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../platform/database/columns.ts';

export const CellSchema = defineEntity({
  name: 'Cell',
  tableName: 'cells',
  properties: {
    id: p.uuid().primary(),
    slug: p.text(),
    region: p.text(),
    isEnabled: p.boolean().default(true),
    /** The default limit of organizations in this cell without their own limit. */
    ingressEventsPerMinute: p.integer().nullable(),
    createdAt: createdAt(),
  },
});

/** A warehouse in a region. Each workspace belongs to one cell. */
export class Cell extends CellSchema.class {}
CellSchema.setClass(Cell);
