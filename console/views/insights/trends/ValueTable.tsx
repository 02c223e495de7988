import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Card } from '../../../pieces/Card.tsx';
import { type Column, Table } from '../../../pieces/Table.tsx';
import type { Interval } from '../whole-intervals.ts';
import { inValue } from './growing.ts';
import { inInterval } from './in-interval.ts';
import type { ShownLine } from './shown-lines.ts';
import type { Trends } from './trends-query.ts';

type ValueTableProps = {
  readonly trends: Trends;
  readonly lines: readonly ShownLine[];
  readonly interval: Interval;
  /** By interval: its values can still grow. */
  readonly isGrowing: readonly boolean[];
};

/** More columns than this are left out where there is little room. */
const NARROW_LINES = 1;
/** More columns have no room on any screen. */
const LINES_MAX = 6;

/** The values behind the bars, for who wants to read or copy them. */
export function ValueTable({ trends, lines, interval, isGrowing }: ValueTableProps) {
  const { bucketStarts } = trends;
  const [isOpen, { toggle }] = useDisclosure();
  const columns: readonly Column<number>[] = [
    { title: 'From', cell: at => inInterval(bucketStarts[at]!, interval) },
    ...lines.slice(0, LINES_MAX).map(({ name, points }, line) => ({
      title: name,
      isNumber: true,
      isWide: line >= NARROW_LINES,
      cell: (at: number) => inValue(points[at], isGrowing[at]),
    })),
  ];
  return (
    <Stack gap="sm">
      <Button
        variant="default"
        size="xs"
        aria-expanded={isOpen}
        onClick={toggle}
        style={{ alignSelf: 'start' }}
      >
        {isOpen ? 'Hide values' : 'Show values'}
      </Button>
      {isOpen && (
        <Card isFlush>
          <Table
            label="Values"
            rows={bucketStarts.map((_, at) => at)}
            keyOf={String}
            columns={columns}
          />
        </Card>
      )}
    </Stack>
  );
}
