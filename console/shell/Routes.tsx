import { lazy } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { useViewer } from '../session/ViewerProvider.tsx';
import { NotFound } from './NotFound.tsx';
import { Start } from './Start.tsx';
import { SIGNED_IN_PATH } from './signed-in-path.ts';
import { HOME, needsWorkspace, VIEWS, type View } from './views.ts';

const ChooseWorkspace = lazy(async () => ({
  default: (await import('./ChooseWorkspace.tsx')).ChooseWorkspace,
}));

/** The view of the address. */
export function Routes() {
  return (
    <Switch>
      <Route path={HOME.path} component={Start} />
      {VIEWS.map(view => (
        <Route key={view.path} path={`${view.path}/*?`}>
          <Opened view={view} />
        </Route>
      ))}
      <Route path={SIGNED_IN_PATH}>
        <Redirect to="/" replace />
      </Route>
      <Route component={NotFound} />
    </Switch>
  );
}

function Opened({ view }: { readonly view: View }) {
  const { workspace, roles } = useViewer();
  const [location] = useLocation();
  const { role, Component } = view;
  if (role !== undefined && !roles.includes(role)) return <NotFound />;
  const isWaiting = workspace === null && needsWorkspace(view, location, roles);
  return isWaiting ? <ChooseWorkspace /> : <Component />;
}
