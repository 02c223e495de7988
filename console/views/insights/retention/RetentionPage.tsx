import { useMemo } from 'react';
import { Card } from '../../../pieces/Card.tsx';
import { rangeOf } from '../../../pieces/range/range.ts';
import { InsightPage } from '../InsightPage.tsx';
import { useInsight } from '../use-insight.ts';
import { wholeIntervals } from '../whole-intervals.ts';
import { RetentionForm } from './RetentionForm.tsx';
import { RetentionReport } from './RetentionReport.tsx';
import { retentionVariables } from './retention-query.ts';
import { LIMITS, RETENTION } from './retention-settings.ts';

export function RetentionPage() {
  const { settings, asked, change, link, nowMs, refresh } = useInsight(RETENTION);
  const range = useMemo(() => {
    const chosen = rangeOf(asked.range, LIMITS[asked.period], nowMs);
    return chosen && wholeIntervals(chosen, asked.range, asked.period);
  }, [asked, nowMs]);
  const variables = useMemo(() => retentionVariables(asked, range), [asked, range]);
  return (
    <InsightPage link={link} onRefresh={refresh}>
      <Card>
        <RetentionForm settings={settings} range={range} onChange={change} />
      </Card>
      {range !== undefined && variables !== undefined && (
        <RetentionReport
          key={JSON.stringify({ ...variables, range: null })}
          variables={variables}
          period={asked.period}
          range={range}
        />
      )}
    </InsightPage>
  );
}
