import { Box, Text } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Chart } from '../../../pieces/Chart.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inCount, inPercent, inPlainWords, inShortDay } from '../../../pieces/in-words.ts';
import { useUnknownDays } from '../../../pieces/range/use-unknown-days.ts';
import type { Days } from '../../../pieces/range/whole-days.ts';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { useIsBehind } from '../../../pieces/use-delay.ts';

const PUSH = graphql(`
  query PushFunnel($campaignId: String, $range: ReportRange!) {
    pushFunnel(campaignId: $campaignId, range: $range) {
      day platform reached clicked dismissed
    }
  }
`);

type Row = NonNullable<ResultOf<typeof PUSH>['pushFunnel']>[number];

type PushFunnelProps = {
  readonly days: Days;
  /** Empty for all. */
  readonly campaignId: string;
};

/** Pushes shown, clicked and dismissed, by day and by platform. */
export function PushFunnel({ days, campaignId }: PushFunnelProps) {
  const variables = { range: days.range, campaignId: campaignId === '' ? null : campaignId };
  const asked = useQuery({ query: PUSH, variables });
  return (
    <Asked asked={asked} label="Loading the results">
      {({ pushFunnel: rows }) =>
        rows &&
        (rows.length === 0 ? (
          <NoPushes />
        ) : (
          <>
            <Box px="lg">
              <ByDay rows={rows} days={days.days} />
              <Text size="sm" c="dimmed" mt="xs">
                A push counts on the day of the last report on it.
              </Text>
            </Box>
            <Table
              label="Pushes by platform"
              rows={platformsOf(rows)}
              keyOf={({ platform }) => platform}
              columns={COLUMNS}
            />
          </>
        ))
      }
    </Asked>
  );
}

type Part = 'reached' | 'clicked' | 'dismissed';

const sumOf = (rows: readonly Row[], part: Part) => rows.reduce((sum, row) => sum + row[part], 0);

type ByDayProps = { readonly rows: readonly Row[]; readonly days: readonly string[] };

function ByDay({ rows, days }: ByDayProps) {
  const isUnknown = useUnknownDays(days);
  const byDay = Map.groupBy(rows, ({ day }) => day);
  const valuesOf = (part: Part) => days.map(day => sumOf(byDay.get(day) ?? [], part));
  return (
    <Chart
      label="Pushes shown, clicked and dismissed by day"
      names={days.map(inShortDay)}
      series={[
        { name: 'Shown', tone: 'brand', values: valuesOf('reached') },
        { name: 'Clicked', tone: 'good', values: valuesOf('clicked') },
        { name: 'Dismissed', tone: 'quiet', values: valuesOf('dismissed') },
      ]}
      isUnknown={isUnknown}
    />
  );
}

type Platform = Readonly<Record<Part, number>> & { readonly platform: string };

function platformsOf(rows: readonly Row[]): Platform[] {
  return [...Map.groupBy(rows, ({ platform }) => platform)]
    .map(([platform, of]) => ({
      platform,
      reached: sumOf(of, 'reached'),
      clicked: sumOf(of, 'clicked'),
      dismissed: sumOf(of, 'dismissed'),
    }))
    .toSorted((a, b) => b.reached - a.reached);
}

const PLATFORMS: Readonly<Record<string, string>> = { web: 'Web', ios: 'iOS', android: 'Android' };

const COLUMNS: readonly Column<Platform>[] = [
  { title: 'Platform', cell: ({ platform }) => PLATFORMS[platform] ?? inPlainWords(platform) },
  { title: 'Shown', isNumber: true, cell: ({ reached }) => inCount(reached) },
  { title: 'Clicked', isNumber: true, cell: ({ clicked }) => inCount(clicked) },
  {
    title: 'Click rate',
    isNumber: true,
    cell: ({ reached, clicked }) => inPercent(clicked / reached),
  },
  { title: 'Dismissed', isNumber: true, cell: ({ dismissed }) => inCount(dismissed) },
];

/** While the warehouse is late, reports can still arrive. */
function NoPushes() {
  const isBehind = useIsBehind();
  if (isBehind)
    return (
      <Empty title="No pushes in the reports yet" icon={IconBell}>
        Reports are delayed, so pushes from this time range may still appear.
      </Empty>
    );
  return (
    <Empty title="No pushes" icon={IconBell}>
      SDKs reported no pushes in this time range. Choose a longer one to look further back.
    </Empty>
  );
}
