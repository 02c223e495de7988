import { Anchor, Text } from '@mantine/core';
import { inCount, inDuration, inPercent } from '../../../pieces/in-words.ts';
import { type Column, Table } from '../../../pieces/Table.tsx';
import type { FunnelStep } from './funnel-steps.ts';

type StepTableProps = {
  readonly steps: readonly FunnelStep[];
  readonly names: readonly string[];
  readonly lostAfter: number;
  readonly onLostAfter: (step: number) => void;
};

/** Each step, how many of the step before reach it, and who does not go on. */
export function StepTable({ steps, names, lostAfter, onLostAfter }: StepTableProps) {
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
      title: 'Of the step before',
      isNumber: true,
      isWide: true,
      cell: ({ fromPrevious }) => inShare(fromPrevious),
    },
    { title: 'Of all', isNumber: true, cell: ({ fromFirst }) => inShare(fromFirst) },
    {
      title: 'Median time',
      isNumber: true,
      isWide: true,
      cell: ({ medianSeconds }) => (medianSeconds === null ? '–' : inDuration(medianSeconds)),
    },
    {
      title: 'Lost after it',
      isNumber: true,
      cell: ({ step, lost }) =>
        lost === null || lost === 0 ? (
          (lost ?? '–')
        ) : (
          <Anchor
            component="button"
            type="button"
            size="sm"
            aria-expanded={step === lostAfter}
            aria-label={`${inCount(lost)}: show the people lost after ${names[step - 1]}`}
            onClick={() => onLostAfter(step === lostAfter ? 0 : step)}
          >
            {inCount(lost)}
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

function inShare(share: number | null): string {
  return share === null ? '–' : inPercent(share);
}
