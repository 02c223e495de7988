import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { Column } from './Table.tsx';

type Chosen<Row> = {
  /** The IDs of the displayed rows. */
  readonly rows: readonly Row[];
  readonly column: Column<Row>;
  readonly clear: () => void;
};

/** Rows to do the same with. Only displayed rows can be selected, also after a refetch. */
export function useChosen<Row extends { readonly id: string }>(
  shown: readonly Row[],
  nameOf: (row: Row) => string,
): Chosen<Row> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => {
    const next = new Set(ids);
    if (!next.delete(id)) next.add(id);
    setIds(next);
  };
  return {
    rows: shown.filter(({ id }) => ids.has(id)),
    clear: () => setIds(new Set()),
    column: {
      title: 'Select',
      cell: row => (
        <Checkbox
          aria-label={`Select ${nameOf(row)}`}
          checked={ids.has(row.id)}
          onChange={() => toggle(row.id)}
          size="md"
        />
      ),
    },
  };
}
