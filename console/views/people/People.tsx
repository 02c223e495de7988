import { Route, Switch } from 'wouter';
import { PeopleList } from './PeopleList.tsx';
import { PersonPage } from './PersonPage.tsx';
import { useUserId } from './use-user-id.ts';

export default function People() {
  const userId = useUserId();
  return (
    <Switch>
      <Route path="/people" component={PeopleList} />
      <Route>{userId !== undefined && <PersonPage key={userId} userId={userId} />}</Route>
    </Switch>
  );
}
