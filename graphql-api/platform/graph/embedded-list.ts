import type { ObjectRef } from '@pothos/core';
import type { SchemaTypes } from './builder.ts';
import { eachField, type Fields, type NamesOf } from './fields.ts';

/**
 * Shows lists that are stored with the row, under their own names. They are short and need no query,
 * so a list costs as much as one item.
 */
export function embeddedLists<Row, Item, Names extends NamesOf<Row, readonly Item[]>>(
  t: Fields<Row>,
  type: ObjectRef<SchemaTypes, Item>,
  descriptions: Readonly<Record<Names, string>>,
) {
  return eachField(descriptions, (name, description) =>
    t.field({
      type: [type],
      nullable: false,
      description,
      complexity: { field: 1, multiplier: 1 },
      resolve: (row: Row) => row[name],
    } as never),
  );
}
