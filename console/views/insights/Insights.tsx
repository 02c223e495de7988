import { Group } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { Empty } from '../../pieces/Empty.tsx';
import { useNewEventNames } from '../../pieces/event-match/use-event-names.ts';
import { Loading } from '../../pieces/Loading.tsx';
import { Page } from '../../pieces/Page.tsx';
import { ActionsPlace } from './InsightPage.tsx';
import { ABOUT, INSIGHTS, SECTIONS } from './insight-paths.ts';
import { TrendsPage } from './trends/TrendsPage.tsx';

const FunnelPage = lazy(async () => ({
  default: (await import('./funnel/FunnelPage.tsx')).FunnelPage,
}));
const RetentionPage = lazy(async () => ({
  default: (await import('./retention/RetentionPage.tsx')).RetentionPage,
}));

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
        <Suspense fallback={<Loading label="Loading" />}>
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
        </Suspense>
      </ActionsPlace>
    </Page>
  );
}
