import { Anchor, Text } from '@mantine/core';
import { inCount, inDuration, inPercent } from '../../../pieces/in-words.ts';
import { type Column, Table } from '../../../pieces/Table.tsx';
import type { FunnelStep } from './funnel-steps.ts';

type StepTableProps = {
  readonly steps: readonly FunnelStep[];
  readonly names: readonly string[];
  readonly droppedAfter: number;
  readonly onDroppedAfter: (step: number) => void;
};

/** Each step, how many of the step before reach it, and who does not go on. */
export function StepTable({ steps, names, droppedAfter, onDroppedAfter }: StepTableProps) {
  const columns: readonly Column<FunnelStep>[] = [
    {
      title: 'Step',
      cell: ({ step }) => (
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {step}. {names[step - 1]}
        </Text>
      ),
    },
    { title: 'People', isNumber: true, cell: ({ people }) => inCount(people) },
    {
      title: 'From previous step',
      isNumber: true,
      isWide: true,
      cell: ({ fromPrevious }) => inShare(fromPrevious),
    },
    { title: 'Overall', isNumber: true, cell: ({ fromFirst }) => inShare(fromFirst) },
    {
      title: 'Median time',
      isNumber: true,
      isWide: true,
      cell: ({ medianSeconds }) => inTime(medianSeconds),
    },
    {
      title: 'Drop-offs',
      isNumber: true,
      cell: ({ step, dropOffs }) =>
        dropOffs === null || dropOffs === 0 ? (
          (dropOffs ?? '–')
        ) : (
          <Anchor
            component="button"
            type="button"
            size="sm"
            aria-expanded={step === droppedAfter}
            aria-label={`${inCount(dropOffs)}: show the drop-offs after ${names[step - 1]}`}
            onClick={() => onDroppedAfter(step === droppedAfter ? 0 : step)}
          >
            {inCount(dropOffs)}
          </Anchor>
        ),
    },
  ];
  return (
    <Table
      label="Steps of the funnel"
      rows={steps}
      keyOf={({ step }) => String(step)}
      columns={columns}
    />
  );
}

function inTime(seconds: number | null): string {
  if (seconds === null) return '–';
  return seconds < 1 ? 'under 1 second' : inDuration(seconds);
}

function inShare(share: number | null): string {
  return share === null ? '–' : inPercent(share);
}
