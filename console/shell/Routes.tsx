import { Redirect, Route, Switch, useLocation } from 'wouter';
import { useViewer } from '../session/ViewerProvider.tsx';
import { ChooseWorkspace } from './ChooseWorkspace.tsx';
import { NotFound } from './NotFound.tsx';
import { Start } from './Start.tsx';
import { SIGNED_IN_PATH } from './signed-in-path.ts';
import { HOME, isAt, VIEWS, type View } from './views.ts';

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
  const { isOfWorkspace, withoutWorkspace: section, role, Component } = view;
  if (role !== undefined && !roles.includes(role)) return <NotFound />;
  if (!isOfWorkspace || workspace !== null) return <Component />;
  const needsNone = section && roles.includes(section.role) && isAt(location, section.path);
  return needsNone ? <Component /> : <ChooseWorkspace />;
}
