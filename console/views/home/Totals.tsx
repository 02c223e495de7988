import { Stack, Text } from '@mantine/core';
import { Asked } from '../../pieces/Asked.tsx';
import { Card } from '../../pieces/Card.tsx';
import { Chart } from '../../pieces/Chart.tsx';
import { Figures } from '../../pieces/Figures.tsx';
import { inAtLeast, inCount, inDayOfYear, inPercent } from '../../pieces/in-words.ts';
import { When } from '../../pieces/When.tsx';
import type { Traffic } from './home-query.ts';
import { DAYS, isTodayPartial, sumOf, useTraffic } from './use-traffic.ts';

/** The events of the last days, and whether they are more or fewer than before. */
export function Totals() {
  const asked = useTraffic();
  return (
    <Asked asked={asked} label="Loading the totals">
      {({ ingestHealth }) =>
        ingestHealth && <Week traffic={ingestHealth} hasFailed={asked[0].error !== undefined} />
      }
    </Asked>
  );
}

type WeekProps = {
  readonly traffic: Traffic;
  /** A part of it could not be read. */
  readonly hasFailed: boolean;
};

function Week({ traffic, hasFailed }: WeekProps) {
  const { bucketStarts, newestReceivedAt } = traffic;
  const accepted = recent(traffic.accepted);
  const rejected = recent(traffic.rejected);
  const isPartial = isTodayPartial(traffic);
  const inSum = (sum: number | undefined) => {
    if (sum === undefined) return 'Unknown';
    return isPartial ? inAtLeast(sum) : inCount(sum);
  };
  return (
    <Stack gap="md">
      <Figures
        label={`The last ${DAYS} days`}
        figures={[
          {
            label: `Accepted, ${DAYS} days`,
            value: inSum(accepted.sum),
            hint: isPartial ? undefined : trendOf(accepted, bucketStarts.length),
          },
          {
            label: `Rejected, ${DAYS} days`,
            value: inSum(rejected.sum),
            hint: isPartial ? undefined : shareOf(accepted.sum, rejected.sum),
          },
          {
            label: 'Last event',
            value: (
              <When
                at={newestReceivedAt}
                never={isPartial || hasFailed ? 'Unknown' : 'None this week'}
                isRelative
              />
            ),
          },
        ]}
      />
      {accepted.values !== undefined && rejected.values !== undefined && (
        <Card title="Events by day">
          <Chart
            label={`Accepted and rejected events on each of the last ${DAYS} days`}
            isStacked
            heightPx={180}
            names={bucketStarts.slice(-DAYS).map(inDayOfYear)}
            series={[
              { name: 'Accepted', tone: 'brand', values: accepted.values },
              { name: 'Rejected', tone: 'bad', values: rejected.values },
            ]}
            isUnknown={accepted.values.map((_, at) => isPartial && at === DAYS - 1)}
          />
        </Card>
      )}
    </Stack>
  );
}

type Recent = {
  readonly values: readonly number[] | undefined;
  readonly sum: number | undefined;
  readonly sumBefore: number | undefined;
};

function recent(all: readonly number[] | null): Recent {
  return {
    values: all?.slice(-DAYS),
    sum: sumOf(all?.slice(-DAYS)),
    sumBefore: sumOf(all?.slice(0, -DAYS)),
  };
}

/** In the days before, today was not over yet either: the change is a hint and no report. */
function trendOf({ sum, sumBefore }: Recent, days: number) {
  if (sum === undefined || !sumBefore || days < 2 * DAYS) return undefined;
  const change = sum / sumBefore - 1;
  const words = `${inPercent(Math.abs(change))} ${change < 0 ? 'fewer' : 'more'}`;
  return (
    <Text inherit>
      {change === 0 ? 'Same as' : `${words} than`} the previous {DAYS} days
    </Text>
  );
}

function shareOf(accepted: number | undefined, rejected: number | undefined) {
  if (accepted === undefined || !rejected) return undefined;
  return `${inPercent(rejected / (accepted + rejected))} of total`;
}
