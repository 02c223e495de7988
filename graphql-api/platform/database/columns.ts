// Column types of our migrations that MikroORM has no builder for.

import { p } from '@mikro-orm/core';

/** timestamptz: microseconds in the database, milliseconds here. */
export function instant() {
  return p.datetime().columnType('timestamptz');
}

/** Set by the database if the row does not. */
export function createdAt() {
  return p.datetime().columnType('timestamptz').defaultRaw('now()');
}

export function textArray(byDefault: string[] = []) {
  return p.array().columnType('text[]').default(byDefault);
}
