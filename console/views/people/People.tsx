import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { Loading } from '../../pieces/Loading.tsx';
import { PeopleList } from './PeopleList.tsx';
import { useUserId } from './use-user-id.ts';

const PersonPage = lazy(async () => ({
  default: (await import('./PersonPage.tsx')).PersonPage,
}));

export default function People() {
  const userId = useUserId();
  return (
    <Suspense fallback={<Loading label="Loading the page" />}>
      <Switch>
        <Route path="/people" component={PeopleList} />
        <Route>
          {userId ? <PersonPage key={userId} userId={userId} /> : <Redirect to="/people" replace />}
        </Route>
      </Switch>
    </Suspense>
  );
}
