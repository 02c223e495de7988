import { Box, Stack, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { Card } from '../../../pieces/Card.tsx';
import { Chart } from '../../../pieces/Chart.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inCount, inPercent } from '../../../pieces/in-words.ts';
import { nameOfLine, TONES } from '../lines.ts';
import { Report } from '../Report.tsx';
import { SqlOf } from '../SqlOf.tsx';
import { BreakdownTable } from './BreakdownTable.tsx';
import { DropOffs } from './DropOffs.tsx';
import { FUNNEL_REPORT, type FunnelLine, type FunnelVariables } from './funnel-query.ts';
import { type FunnelStep, mostDropOffs, stepsOf } from './funnel-steps.ts';
import { StepTable } from './StepTable.tsx';

type FunnelReportProps = {
  readonly variables: FunnelVariables;
  /** Of the steps. */
  readonly names: readonly string[];
  readonly breakdown: string;
  readonly droppedAfter: number;
  readonly onDroppedAfter: (step: number) => void;
};

export function FunnelReport(props: FunnelReportProps) {
  const { variables, names, breakdown, droppedAfter, onDroppedAfter } = props;
  const asked = useQuery({ query: FUNNEL_REPORT, variables });
  return (
    <Report asked={asked}>
      {({ funnel }) => {
        if (funnel === null) return null;
        const { lines, sql } = funnel;
        const steps = stepsOf(lines);
        const shown = steps.find(
          ({ step, dropOffs }) => step === droppedAfter && dropOffs !== null,
        );
        if ((steps[0]?.people ?? 0) === 0) return <Nobody name={names[0] ?? ''} />;
        return (
          <Stack gap="lg">
            <Card title="People by step" isFlush>
              <Box px="lg" pb="sm">
                <MostDropOffs steps={steps} names={names} />
              </Box>
              <StepTable
                steps={steps}
                names={names}
                droppedAfter={droppedAfter}
                onDroppedAfter={onDroppedAfter}
              />
              <Box p="lg">
                <Steps lines={lines} names={names} isBrokenDown={variables.breakdown != null} />
              </Box>
            </Card>
            {shown && (
              <DropOffs
                key={shown.step}
                variables={variables}
                step={shown.step}
                names={names}
                onClose={() => onDroppedAfter(0)}
              />
            )}
            {variables.breakdown != null && (
              <BreakdownTable breakdown={breakdown} lines={lines} names={names} />
            )}
            <SqlOf sql={sql} />
          </Stack>
        );
      }}
    </Report>
  );
}

type OfSteps = { readonly steps: readonly FunnelStep[]; readonly names: readonly string[] };

/** The answer to the question that most people have. */
function MostDropOffs({ steps, names }: OfSteps) {
  const most = mostDropOffs(steps);
  if (most === undefined) return <Text>No drop-offs between steps.</Text>;
  const { step, people, dropOffs } = most;
  return (
    <Text role="status">
      The biggest drop-off is after{' '}
      <Text span inherit fw={650}>
        {names[step - 1]}
      </Text>
      : {inCount(dropOffs ?? 0)} of {inCount(people)} ({inPercent((dropOffs ?? 0) / people)}) don’t
      reach {names[step]}.
    </Text>
  );
}

type StepsProps = {
  readonly lines: readonly FunnelLine[];
  readonly names: readonly string[];
  readonly isBrokenDown: boolean;
};

function Steps({ lines, names, isBrokenDown }: StepsProps) {
  return (
    <Chart
      label="Number of people who reached each step"
      isHorizontal
      names={names.map((name, at) => `${at + 1}. ${name}`)}
      series={lines.slice(0, TONES.length).map((line, at) => ({
        name: isBrokenDown ? nameOfLine(line) : 'People',
        values: line.steps.map(({ people }) => people),
        tone: TONES[at]!,
      }))}
    />
  );
}

function Nobody({ name }: { readonly name: string }) {
  return (
    <Card>
      <Empty title={`No “${name}” events in this time range`}>
        Choose a longer time range, or check the event name.
      </Empty>
    </Card>
  );
}
