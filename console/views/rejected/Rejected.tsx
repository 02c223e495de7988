import { lazy, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { Empty } from '../../pieces/Empty.tsx';
import { Loading } from '../../pieces/Loading.tsx';
import { RejectedEvent } from './event/RejectedEvent.tsx';
import { Groups } from './groups/Groups.tsx';
import { REJECTED } from './rejected-paths.ts';
import { ReplayList } from './replay/ReplayList.tsx';
import { useVisit } from './use-visit.ts';

const ReplayForm = lazy(() => import('./replay/ReplayForm.tsx'));
const ReplayPage = lazy(() => import('./replay/ReplayPage.tsx'));

export default function Rejected() {
  const visit = useVisit();
  return (
    <Suspense fallback={<Loading label="Loading the page" />}>
      <Switch>
        <Route path={REJECTED.groups}>
          <Groups visit={visit} />
        </Route>
        <Route path={REJECTED.event} component={RejectedEvent} />
        <Route path={REJECTED.replay} component={ReplayForm} />
        <Route path={REJECTED.replays} component={ReplayList} />
        <Route path={REJECTED.replayed(':id')}>{({ id }) => <ReplayPage id={id} />}</Route>
        <Route>
          <Empty title="This page doesn’t exist" />
        </Route>
      </Switch>
    </Suspense>
  );
}
