import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

const ContactSchema = defineEntity({
  name: 'Contact',
  tableName: 'contacts',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    userId: p.text(),
    anonymousId: p.text().nullable(),
    // Up to a mebibyte each, and numbers that no double holds: read and written by statements.
    traits: p.json<Record<string, unknown>>().lazy(),
    // Only for statements too: no Date holds the -infinity of traits that nobody has said yet.
    traitsAt: p.string().columnType('timestamptz').default('-infinity').lazy(),
    suppressedAt: instant().nullable(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});

/** A person, by the application's user id. */
export class Contact extends ContactSchema.class {}
ContactSchema.setClass(Contact);
