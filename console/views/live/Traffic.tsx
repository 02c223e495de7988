import { Group, Skeleton, Text } from '@mantine/core';
import { memo, useMemo } from 'react';
import { Card } from '../../pieces/Card.tsx';
import { Chart } from '../../pieces/Chart.tsx';
import { inAtLeast, inCount, inMinute, inPercent } from '../../pieces/in-words.ts';
import type { Minute } from './minutes-of.ts';
import { NotRead } from './NotRead.tsx';
import type { Minutes } from './use-minutes.ts';

const HEIGHT_PX = 168;
const FIGURES_PX = 34;

type TrafficProps = Omit<Minutes, 'count'> & {
  /** A click on a bar; the minute is also among the filters of the list. */
  readonly onMinute: (startMs: number) => void;
};

/** The number of events by minute. Drawn only when it changes, not with each event of the list. */
export const Traffic = memo(function Traffic({ onMinute, ...traffic }: TrafficProps) {
  const { minutes, isAsking, unknown, error, retry } = traffic;
  const names = useMemo(() => minutes.map(({ startMs }) => inMinute(startMs)), [minutes]);
  return (
    <Card title="The last hour, by minute">
      {isAsking ? <Skeleton h={FIGURES_PX} mb="xs" /> : <Sums minutes={minutes} />}
      {error && <NotRead error={error} onRetry={retry} />}
      {!isAsking && unknown && (
        <Text size="sm" my="xs">
          {unknownInWords(unknown, minutes[0]!.startMs)}
        </Text>
      )}
      {isAsking ? (
        <Skeleton h={HEIGHT_PX} />
      ) : (
        <Chart
          label="Accepted and rejected events in each minute of the last hour"
          isStacked
          heightPx={HEIGHT_PX}
          names={names}
          series={[
            { name: 'Accepted', tone: 'brand', values: minutes.map(one => one.accepted) },
            { name: 'Rejected', tone: 'bad', values: minutes.map(one => one.rejected) },
          ]}
          isUnknown={minutes.map(({ isKnown }) => !isKnown)}
          onPick={at => onMinute(minutes[at]!.startMs)}
        />
      )}
    </Card>
  );
});

/** If a minute is unknown, the total may be higher; a total of 0 is then unknown too. */
function Sums({ minutes }: Pick<Minutes, 'minutes'>) {
  const accepted = sumOf(minutes, 'accepted');
  const rejected = sumOf(minutes, 'rejected');
  const isAll = minutes.every(({ isKnown }) => isKnown);
  const figure = (label: string, sum: number, share = '') => {
    if (isAll) return <Figure label={label + share} value={inCount(sum)} />;
    return <Figure label={label} value={inAtLeast(sum)} />;
  };
  return (
    <Group gap="0 24px" mb="xs">
      {figure('accepted', accepted)}
      {figure('rejected', rejected, `, ${shareOf(rejected, accepted)} of total`)}
    </Group>
  );
}

function unknownInWords([fromMs, toMs]: readonly [number, number], firstMs: number): string {
  if (fromMs <= firstMs) return `The number of events before ${inMinute(toMs)} is unknown.`;
  return `The number of events between ${inMinute(fromMs)} and ${inMinute(toMs)} is not known yet.`;
}

function Figure({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <Text component="div" size="sm" c="dimmed">
      <Text span fz={22} fw={650} c="var(--mantine-color-text)" mr={6}>
        {value}
      </Text>
      {label}
    </Text>
  );
}

function sumOf(minutes: readonly Minute[], name: 'accepted' | 'rejected'): number {
  return minutes.reduce((sum, minute) => sum + minute[name], 0);
}

function shareOf(rejected: number, accepted: number): string {
  return rejected === 0 ? inPercent(0) : inPercent(rejected / (rejected + accepted));
}
