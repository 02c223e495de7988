import { Redirect, Route, Switch } from 'wouter';
import { Empty } from '../../pieces/Empty.tsx';
import { FunnelPage } from './funnel/FunnelPage.tsx';
import { INSIGHTS } from './insight-paths.ts';
import { RetentionPage } from './retention/RetentionPage.tsx';
import { TrendsPage } from './trends/TrendsPage.tsx';

export default function Insights() {
  return (
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
  );
}
