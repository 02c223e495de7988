import { Text } from '@mantine/core';
import { inPercent } from '../../../pieces/in-words.ts';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { inTotal, inValue } from './growing.ts';
import type { ShownLine } from './shown-lines.ts';

type LineTableProps = {
  /** What the lines are. */
  readonly title: string;
  readonly lines: readonly ShownLine[];
  readonly isCompared: boolean;
  /** The totals can still grow. */
  readonly isGrowing: boolean;
};

/** The measure of each line over the whole range. */
export function LineTable({ title, lines, isCompared, isGrowing }: LineTableProps) {
  const columns: readonly Column<ShownLine>[] = [
    {
      title,
      cell: ({ name }) => (
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
      ),
    },
    { title: 'Whole range', isNumber: true, cell: ({ total }) => inTotal(total, isGrowing) },
    ...(isCompared ? COMPARED : []),
  ];
  return <Table label="Lines" rows={lines} keyOf={({ name }) => name} columns={columns} />;
}

const COMPARED: readonly Column<ShownLine>[] = [
  {
    title: 'Previous period',
    isNumber: true,
    isWide: true,
    cell: ({ previousTotal }) => inValue(previousTotal),
  },
  { title: 'Change', isNumber: true, cell: line => inChange(line) },
];

/** Nothing can be compared with zero. */
function inChange({ total, previousTotal }: ShownLine): string {
  if (total === null || previousTotal === null || previousTotal === 0) return '–';
  const change = (total - previousTotal) / Math.abs(previousTotal);
  return change > 0 ? `+${inPercent(change)}` : inPercent(change);
}
