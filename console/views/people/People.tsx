import { Redirect, Route, Switch } from 'wouter';
import { PeopleList } from './PeopleList.tsx';
import { PersonPage } from './PersonPage.tsx';
import { useUserId } from './use-user-id.ts';

export default function People() {
  const userId = useUserId();
  return (
    <Switch>
      <Route path="/people" component={PeopleList} />
      <Route>
        {userId ? <PersonPage key={userId} userId={userId} /> : <Redirect to="/people" replace />}
      </Route>
    </Switch>
  );
}
