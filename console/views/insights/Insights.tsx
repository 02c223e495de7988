import { Group } from '@mantine/core';
import { useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { Empty } from '../../pieces/Empty.tsx';
import { useNewEventNames } from '../../pieces/event-match/use-event-names.ts';
import { Page } from '../../pieces/Page.tsx';
import { FunnelPage } from './funnel/FunnelPage.tsx';
import { ActionsPlace } from './InsightPage.tsx';
import { ABOUT, INSIGHTS, SECTIONS } from './insight-paths.ts';
import { RetentionPage } from './retention/RetentionPage.tsx';
import { TrendsPage } from './trends/TrendsPage.tsx';

/** The heading and the sections stay when another report is opened, and so does the focus. */
export default function Insights() {
  useNewEventNames();
  const [path] = useLocation();
  const [place, setPlace] = useState<HTMLElement | null>(null);
  return (
    <Page
      title="Insights"
      about={ABOUT[path]}
      sections={SECTIONS}
      actions={<Group gap="xs" ref={setPlace} />}
    >
      <ActionsPlace value={place}>
        <Switch>
          <Route path="/insights">
            <Redirect to={INSIGHTS.trends} replace />
          </Route>
          <Route path={INSIGHTS.trends} component={TrendsPage} />
          <Route path={INSIGHTS.funnel} component={FunnelPage} />
          <Route path={INSIGHTS.retention} component={RetentionPage} />
          <Route>
            <Empty title="This page doesn’t exist" />
          </Route>
        </Switch>
      </ActionsPlace>
    </Page>
  );
}
