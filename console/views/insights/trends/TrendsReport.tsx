import { Stack, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Report } from '../Report.tsx';
import { SqlOf } from '../SqlOf.tsx';
import { growingOf } from './growing.ts';
import { LineTable } from './LineTable.tsx';
import { shownLines } from './shown-lines.ts';
import { CHART_LINES_MAX, TrendChart } from './TrendChart.tsx';
import { TRENDS_REPORT, type TrendsVariables } from './trends-query.ts';
import { MEASURES, needsNumber, type TrendsSettings } from './trends-settings.ts';
import { ValueTable } from './ValueTable.tsx';

type TrendsReportProps = {
  readonly variables: TrendsVariables;
  readonly settings: TrendsSettings;
  /** Of the events. */
  readonly names: readonly string[];
  readonly nowMs: number;
};

export function TrendsReport({ variables, settings, names, nowMs }: TrendsReportProps) {
  const asked = useQuery({ query: TRENDS_REPORT, variables });
  const { measure, number, breakdown } = settings;
  const title = needsNumber(measure) ? `${MEASURES[measure]} ${number.trim()}` : MEASURES[measure];
  const isBrokenDown = variables.breakdowns != null;
  return (
    <Report asked={asked}>
      {({ trends }) => {
        if (trends === null) return null;
        const lines = shownLines(trends.lines, names, isBrokenDown);
        if (lines.length === 0) return <NoEvents />;
        const growing = growingOf(trends, variables, nowMs);
        return (
          <Stack gap="lg">
            <Card title={title} isFlush>
              <Stack gap="xs" p="lg" pt={0}>
                <TrendChart
                  trends={trends}
                  lines={lines}
                  variables={variables}
                  title={title}
                  isGrowing={growing.points}
                />
                {lines.length > CHART_LINES_MAX && (
                  <Text size="xs" c="dimmed">
                    The chart shows the first {CHART_LINES_MAX} lines.
                  </Text>
                )}
              </Stack>
              <LineTable
                title={isBrokenDown && names.length === 1 ? breakdown : 'Event'}
                lines={lines}
                isCompared={variables.isCompared}
                isGrowing={growing.total}
              />
            </Card>
            <ValueTable
              trends={trends}
              lines={lines}
              interval={settings.interval}
              isGrowing={growing.points}
            />
            <SqlOf sql={trends.sql} />
          </Stack>
        );
      }}
    </Report>
  );
}

function NoEvents() {
  return (
    <Card>
      <Empty title="No matching events in this time range">
        Choose a longer time range or another event, or remove a filter.
      </Empty>
    </Card>
  );
}
