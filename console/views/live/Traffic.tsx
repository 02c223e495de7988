import { Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Card } from '../../pieces/Card.tsx';
import { Chart } from '../../pieces/Chart.tsx';
import { inCount, inMinute, inPercent } from '../../pieces/in-words.ts';
import { Problem } from '../../pieces/Problem.tsx';
import type { Minute, Minutes } from './use-minutes.ts';

const HEIGHT_PX = 168;

/** How much came in, minute by minute. */
export function Traffic({ minutes, error }: Pick<Minutes, 'minutes' | 'error'>) {
  const accepted = sumOf(minutes, 'accepted');
  const rejected = sumOf(minutes, 'rejected');
  const names = useMemo(() => minutes.map(({ startMs }) => inMinute(startMs)), [minutes]);
  return (
    <Card title="The last hour, by minute">
      <Group gap="0 24px" mb="xs">
        <Figure label="accepted" value={inCount(accepted)} />
        <Figure
          label={`rejected, ${shareOf(rejected, accepted)} of all`}
          value={inCount(rejected)}
        />
      </Group>
      {error && <Problem error={error} />}
      <Chart
        label="Accepted and rejected events in each minute of the last hour"
        isStacked
        heightPx={HEIGHT_PX}
        names={names}
        series={[
          { name: 'Accepted', tone: 'brand', values: minutes.map(one => one.accepted) },
          { name: 'Rejected', tone: 'bad', values: minutes.map(one => one.rejected) },
        ]}
      />
    </Card>
  );
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
