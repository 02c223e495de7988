import { lazy, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { Loading } from '../../pieces/Loading.tsx';
import { JOURNEYS, NEW_JOURNEY } from './journey-paths.ts';
import { JourneyList } from './list/JourneyList.tsx';

/** Loaded when one is first opened: the list alone is what most visits need. */
const JourneyPage = lazy(() => import('./page/JourneyPage.tsx'));
const JourneyNew = lazy(() => import('./edit/JourneyNew.tsx'));
const JourneyEdit = lazy(() => import('./edit/JourneyEdit.tsx'));

export default function Journeys() {
  return (
    <Suspense fallback={<Loading label="Loading the page" />}>
      <Switch>
        <Route path={JOURNEYS} component={JourneyList} />
        <Route path={NEW_JOURNEY} component={JourneyNew} />
        <Route path="/journeys/:id">{({ id }) => <JourneyPage key={id} id={id} />}</Route>
        <Route path="/journeys/:id/edit">{({ id }) => <JourneyEdit key={id} id={id} />}</Route>
      </Switch>
    </Suspense>
  );
}
