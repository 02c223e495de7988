import { useMemo } from 'react';
import { Card } from '../../../pieces/Card.tsx';
import { eventInWords } from '../../../pieces/event-match/event-draft.ts';
import { rangeOf } from '../../../pieces/range/range.ts';
import { InsightPage } from '../InsightPage.tsx';
import { useInsight } from '../use-insight.ts';
import { wholeIntervals } from '../whole-intervals.ts';
import { TrendsForm } from './TrendsForm.tsx';
import { TrendsReport } from './TrendsReport.tsx';
import { trendsVariables } from './trends-query.ts';
import { LIMITS, TRENDS } from './trends-settings.ts';

export function TrendsPage() {
  const { settings, asked, change, link, nowMs, refresh } = useInsight(TRENDS);
  const range = useMemo(() => {
    const chosen = rangeOf(asked.range, LIMITS[asked.interval], nowMs);
    return chosen && wholeIntervals(chosen, asked.range, asked.interval);
  }, [asked, nowMs]);
  const variables = useMemo(() => trendsVariables(asked, range), [asked, range]);
  return (
    <InsightPage link={link} onRefresh={refresh}>
      <Card>
        <TrendsForm settings={settings} range={range} onChange={change} />
      </Card>
      {variables !== undefined && (
        <TrendsReport
          key={JSON.stringify({ ...variables, range: null })}
          variables={variables}
          settings={asked}
          names={asked.events.map(eventInWords)}
          nowMs={nowMs}
        />
      )}
    </InsightPage>
  );
}
