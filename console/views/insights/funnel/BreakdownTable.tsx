import { Text } from '@mantine/core';
import { Card } from '../../../pieces/Card.tsx';
import { inCount, inPercent } from '../../../pieces/in-words.ts';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { nameOfLine } from '../lines.ts';
import type { FunnelLine } from './funnel-query.ts';
import { mostDropOffs, stepsOf } from './funnel-steps.ts';

type BreakdownTableProps = {
  readonly breakdown: string;
  readonly lines: readonly FunnelLine[];
  readonly names: readonly string[];
};

/** The funnel of each value of a property, from the first step to the last. */
export function BreakdownTable({ breakdown, lines, names }: BreakdownTableProps) {
  const columns: readonly Column<FunnelLine>[] = [
    {
      title: breakdown,
      cell: line => (
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {nameOfLine(line)}
        </Text>
      ),
    },
    {
      title: 'First step',
      isNumber: true,
      cell: ({ steps }) => inCount(steps[0]?.people ?? 0),
    },
    { title: 'Last step', isNumber: true, cell: ({ steps }) => inCount(steps.at(-1)?.people ?? 0) },
    {
      title: 'Overall',
      isNumber: true,
      cell: ({ steps }) => {
        const share = steps.at(-1)?.conversionFromFirst ?? null;
        return share === null ? '–' : inPercent(share);
      },
    },
    {
      title: 'Biggest drop-off after',
      isWide: true,
      cell: line => {
        const most = mostDropOffs(stepsOf([line]));
        return most === undefined ? '–' : names[most.step - 1];
      },
    },
  ];
  return (
    <Card title={`By ${breakdown}`} isFlush>
      <Table
        label={`The funnel by ${breakdown}`}
        rows={lines}
        keyOf={line => `${line.isRest} ${line.value}`}
        columns={columns}
      />
    </Card>
  );
}
