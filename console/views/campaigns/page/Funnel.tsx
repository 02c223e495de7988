import { Text } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Chart } from '../../../pieces/Chart.tsx';
import type { Series } from '../../../pieces/chart/chart-props.ts';
import { Empty } from '../../../pieces/Empty.tsx';
import { inCount, inDay, inPercent } from '../../../pieces/in-words.ts';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { isLate, useDelay } from '../../../pieces/use-delay.ts';
import type { Campaign } from '../campaign-query.ts';

const FUNNEL = graphql(`
  query CampaignFunnel($campaignId: String!, $range: ReportRange!) {
    campaignFunnel(campaignId: $campaignId, range: $range) {
      day variantId impressions clicks dismissals
    }
  }
`);

type Day = NonNullable<ResultOf<typeof FUNNEL>['campaignFunnel']>[number];
type Side = { readonly id: string; impressions: number; clicks: number; dismissals: number };

const DAYS = 30;
const DAY_MS = 86_400_000;

/** The results of the last 30 days, by variant and by day. */
export function Funnel({ campaign }: { readonly campaign: Campaign }) {
  const range = useMemo(() => {
    const toMs = Date.now();
    const from = new Date(toMs - (DAYS - 1) * DAY_MS).toISOString();
    return { from, to: new Date(toMs).toISOString() };
  }, []);
  const delay = useDelay();
  const asked = useQuery({ query: FUNNEL, variables: { campaignId: campaign.sdkId, range } });
  return (
    <Card title="The last 30 days" isFlush>
      <Asked asked={asked} label="Counting">
        {({ campaignFunnel: days }) =>
          // The query failed, as shown above, so the number of responses is unknown.
          days === null ? null : days.length > 0 ? (
            <Charts days={days} />
          ) : delay !== undefined && isLate(delay) ? (
            <Empty title="Nothing in the reports yet" icon={IconChartBar}>
              Recent results appear here once they are in the data warehouse.
            </Empty>
          ) : (
            <Empty title="Nobody has seen it" icon={IconChartBar}>
              {campaign.status === 'LIVE'
                ? 'Results appear here within a minute of the SDKs’ reports.'
                : 'Results appear here once the campaign is live.'}
            </Empty>
          )
        }
      </Asked>
    </Card>
  );
}

const TONES: readonly Series['tone'][] = ['brand', 'good', 'waiting', 'bad', 'quiet'];

function Charts({ days }: { readonly days: readonly Day[] }) {
  const sides = sidesOf(days);
  const byDay = sumByDay(days);
  return (
    <>
      <div style={{ padding: '0 var(--mantine-spacing-lg)' }}>
        <Chart
          label="Times seen, clicked and dismissed, by variant"
          isHorizontal
          heightPx={170}
          names={['Seen', 'Clicked', 'Dismissed']}
          series={sides.map((side, at) => ({
            name: side.id,
            tone: TONES[at % TONES.length]!,
            values: [side.impressions, side.clicks, side.dismissals],
          }))}
        />
      </div>
      <Table label="Variants" rows={sides} keyOf={side => side.id} columns={COLUMNS} />
      {byDay.length > 1 && (
        <div style={{ padding: 'var(--mantine-spacing-lg)' }}>
          <Text size="sm" c="dimmed" mb="xs">
            Day by day
          </Text>
          <Chart
            label="Times seen and clicked, day by day"
            heightPx={150}
            names={byDay.map(({ id }) => inDay(id))}
            series={[
              { name: 'Seen', tone: 'brand', values: byDay.map(day => day.impressions) },
              { name: 'Clicked', tone: 'good', values: byDay.map(day => day.clicks) },
            ]}
          />
        </div>
      )}
    </>
  );
}

const COLUMNS: readonly Column<Side>[] = [
  { title: 'Variant', cell: side => side.id },
  { title: 'Seen', isNumber: true, cell: side => inCount(side.impressions) },
  { title: 'Clicked', isNumber: true, cell: side => inCount(side.clicks) },
  { title: 'Click rate', isNumber: true, cell: clickRateOf },
  { title: 'Dismissed', isNumber: true, isWide: true, cell: side => inCount(side.dismissals) },
];

function clickRateOf({ impressions, clicks }: Side): string {
  return impressions === 0 ? '–' : inPercent(clicks / impressions);
}

function sidesOf(days: readonly Day[]): Side[] {
  return sumBy(days, ({ variantId }) => variantId ?? 'Everybody');
}

function sumByDay(days: readonly Day[]): Side[] {
  return sumBy(days, ({ day }) => day).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function sumBy(days: readonly Day[], idOf: (day: Day) => string): Side[] {
  const sums = new Map<string, Side>();
  for (const day of days) {
    const id = idOf(day);
    const sum = sums.get(id) ?? { id, impressions: 0, clicks: 0, dismissals: 0 };
    sum.impressions += day.impressions;
    sum.clicks += day.clicks;
    sum.dismissals += day.dismissals;
    sums.set(id, sum);
  }
  return [...sums.values()].toSorted((a, b) => b.impressions - a.impressions);
}
