import { Button } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { eventInWords } from '../../../pieces/event-match/event-draft.ts';
import { useEventNames } from '../../../pieces/event-match/use-event-names.ts';
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
    <InsightPage link={link} onRefresh={refresh}>
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
  const names = useEventNames();
  if (names?.length === 0) return <NoEvents />;
  return (
    <Card>
      <Empty title="Choose at least two steps" icon={IconFilter}>
        Add them in the order in which people complete them. The report appears here.
      </Empty>
    </Card>
  );
}

function NoEvents() {
  return (
    <Card>
      <Empty title="No events in the last 30 days" icon={IconFilter}>
        A funnel needs events from your app or site.
        <div>
          <Button component={Link} href="/keys" variant="default" mt="md">
            Open SDK keys
          </Button>
        </div>
      </Empty>
    </Card>
  );
}
