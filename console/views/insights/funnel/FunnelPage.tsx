import { IconFilter } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { eventInWords } from '../../../pieces/event-match/event-draft.ts';
import { rangeOf } from '../../../pieces/range/range.ts';
import { InsightPage } from '../InsightPage.tsx';
import { useInsight } from '../use-insight.ts';
import { FunnelForm } from './FunnelForm.tsx';
import { FunnelReport } from './FunnelReport.tsx';
import { funnelVariables } from './funnel-query.ts';
import { chosenSteps, FUNNEL, LIMITS, STEPS_MIN } from './funnel-settings.ts';

export function FunnelPage() {
  const { settings, asked, change, link, nowMs, refresh } = useInsight(FUNNEL);
  const range = useMemo(() => rangeOf(asked.range, LIMITS, nowMs), [asked, nowMs]);
  const variables = useMemo(() => funnelVariables(asked, range), [asked, range]);
  const names = chosenSteps(asked).map(eventInWords);
  return (
    <InsightPage
      about="How many people do several things one after the other, and after which step they drop off."
      link={link}
      onRefresh={refresh}
    >
      <Card>
        <FunnelForm settings={settings} range={range} onChange={change} />
      </Card>
      {variables !== undefined && (
        <FunnelReport
          key={JSON.stringify({ ...variables, range: null })}
          variables={variables}
          names={names}
          breakdown={asked.breakdown}
          droppedAfter={asked.droppedAfter}
          onDroppedAfter={droppedAfter => change({ droppedAfter })}
        />
      )}
      {names.length < STEPS_MIN && <NotChosen />}
    </InsightPage>
  );
}

function NotChosen() {
  return (
    <Card>
      <Empty title="Choose at least two steps" icon={IconFilter}>
        In the order in which people do them, such as Product Viewed, Checkout Started and Order
        Completed. The report appears here.
      </Empty>
    </Card>
  );
}
