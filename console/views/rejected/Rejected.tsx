import { Route, Switch } from 'wouter';
import { Empty } from '../../pieces/Empty.tsx';
import { RejectedEvent } from './event/RejectedEvent.tsx';
import { Groups } from './groups/Groups.tsx';
import { REJECTED } from './rejected-paths.ts';
import { ReplayForm } from './replay/ReplayForm.tsx';
import { ReplayList } from './replay/ReplayList.tsx';
import { ReplayPage } from './replay/ReplayPage.tsx';
import { useVisit } from './use-visit.ts';

export default function Rejected() {
  const visit = useVisit();
  return (
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
  );
}
