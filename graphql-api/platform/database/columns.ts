// The kinds of column that MikroORM has no builder of its own for, as our migrations declare them.

import { p } from '@mikro-orm/core';

/** timestamptz, to the microsecond in the database and the millisecond here. */
export function instant() {
  return p.datetime().columnType('timestamptz');
}

/** The database says when, unless the row does. */
export function createdAt() {
  return p.datetime().columnType('timestamptz').defaultRaw('now()');
}

export function textArray(byDefault: string[] = []) {
  return p.array().columnType('text[]').default(byDefault);
}
