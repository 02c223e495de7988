import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { Loading } from '../../pieces/Loading.tsx';
import { Page } from '../../pieces/Page.tsx';
import { useMay, useViewer } from '../../session/ViewerProvider.tsx';

const WorkspaceSettings = lazy(() => import('./workspace/WorkspaceSettings.tsx'));
const Properties = lazy(() => import('./properties/Properties.tsx'));
const Usage = lazy(() => import('./usage/Usage.tsx'));
const Approvals = lazy(() => import('./approvals/Approvals.tsx'));
const AnalystLogins = lazy(() => import('./logins/AnalystLogins.tsx'));
const Privacy = lazy(() => import('./privacy/Privacy.tsx'));
const OrganizationSettings = lazy(() => import('./organization/OrganizationSettings.tsx'));
const AuditLog = lazy(() => import('./audit/AuditLog.tsx'));

const OF_WORKSPACE = [
  { path: '/settings', title: 'Workspace', isExact: true, Component: WorkspaceSettings },
  { path: '/settings/properties', title: 'Properties', Component: Properties },
  { path: '/settings/usage', title: 'Usage', Component: Usage },
  { path: '/settings/approvals', title: 'Approvals', Component: Approvals },
  { path: '/settings/logins', title: 'Analyst logins', Component: AnalystLogins },
  { path: '/settings/privacy', title: 'Privacy', Component: Privacy },
];
const ORGANIZATION = {
  path: '/settings/organization',
  title: 'Organization',
  Component: OrganizationSettings,
};
const AUDIT = { path: '/settings/audit', title: 'Audit log', Component: AuditLog };

/** Without a workspace, only the sections of the organization. */
export default function Settings() {
  const { workspace } = useViewer();
  const isOwner = useMay('OWNER');
  const sections = [
    ...(workspace === null ? [] : OF_WORKSPACE),
    ORGANIZATION,
    ...(isOwner ? [AUDIT] : []),
  ];
  return (
    <Page title="Settings" about={workspace?.name} sections={sections}>
      <Suspense fallback={<Loading label="Loading" />}>
        <Switch>
          {sections.map(({ path, Component }) => (
            <Route key={path} path={path} component={Component} />
          ))}
          <Route>
            <Redirect to={sections[0]!.path} replace />
          </Route>
        </Switch>
      </Suspense>
    </Page>
  );
}
