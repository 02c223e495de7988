import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { Loading } from '../../pieces/Loading.tsx';
import { Page } from '../../pieces/Page.tsx';

/** What can be urgent comes first, then money. */
const SECTIONS = [
  {
    path: '/operations',
    title: 'Dead letters',
    isExact: true,
    Component: lazy(() => import('./dead-letters/DeadLetters.tsx')),
  },
  {
    path: '/operations/rows',
    title: 'Rejected rows',
    Component: lazy(() => import('./rows/RejectedRows.tsx')),
  },
  {
    path: '/operations/cells',
    title: 'Cells',
    Component: lazy(() => import('./cells/Cells.tsx')),
  },
  {
    path: '/operations/organizations',
    title: 'Organizations',
    Component: lazy(() => import('./organizations/Organizations.tsx')),
  },
  {
    path: '/operations/users',
    title: 'User access',
    Component: lazy(() => import('./users/UserAccess.tsx')),
  },
  {
    path: '/operations/terms',
    title: 'Program terms',
    Component: lazy(() => import('./terms/ProgramTerms.tsx')),
  },
  {
    path: '/operations/agencies',
    title: 'Agencies',
    Component: lazy(() => import('./agencies/Agencies.tsx')),
  },
  {
    path: '/operations/invoices',
    title: 'Invoices',
    Component: lazy(() => import('./billing/Invoices.tsx')),
  },
  {
    path: '/operations/links',
    title: 'Billing links',
    Component: lazy(() => import('./billing/BillingLinks.tsx')),
  },
] as const;

/** The whole platform, for its admins. */
export default function Operations() {
  return (
    <Page title="Operations" about="Administration of the whole platform." sections={SECTIONS}>
      <Suspense fallback={<Loading label="Loading" />}>
        <Switch>
          {SECTIONS.map(({ path, Component }) => (
            <Route key={path} path={path} component={Component} />
          ))}
          <Route>
            <Redirect to="/operations" replace />
          </Route>
        </Switch>
      </Suspense>
    </Page>
  );
}
