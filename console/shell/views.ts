// The views of the console, in the order of the navigation. Each is loaded when it is first opened.

import {
  IconActivity,
  IconAlertTriangle,
  IconChartHistogram,
  IconCreditCard,
  IconHeartHandshake,
  IconHome,
  IconKey,
  IconRoute,
  IconServerCog,
  IconSettings,
  IconSpeakerphone,
  IconTemplate,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import { type ComponentType, lazy } from 'react';
import type { Role } from '../session/ViewerProvider.tsx';

/** In the order of the navigation. */
export const GROUPS = ['Data', 'Engage', 'Money', 'Settings'] as const;

export type View = {
  readonly path: string;
  readonly title: string;
  readonly group: (typeof GROUPS)[number];
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
  readonly Component: ComponentType;
  /** Shows what belongs to one workspace; the others, what belongs to the organization. */
  readonly isOfWorkspace: boolean;
  /** The section of a view of a workspace that needs none, and who can see it. */
  readonly withoutWorkspace?: { readonly path: string; readonly role: Role };
  /** The sections of a view of the organization that need a workspace. */
  readonly ofWorkspace?: readonly string[];
  /** Hidden from viewers without it. */
  readonly role?: Role;
  /** Whether the view shows counts or lists of events, which can be late. */
  readonly showsEvents?: boolean;
};

/** The first page, above the groups. */
export const HOME = {
  path: '/',
  title: 'Home',
  icon: IconHome,
  Component: lazy(() => import('../views/home/Home.tsx')),
} as const;

export const VIEWS: readonly View[] = [
  {
    path: '/live',
    title: 'Live',
    group: 'Data',
    icon: IconActivity,
    Component: lazy(() => import('../views/live/Live.tsx')),
    isOfWorkspace: true,
    showsEvents: true,
  },
  {
    path: '/rejected',
    title: 'Rejected events',
    group: 'Data',
    icon: IconAlertTriangle,
    Component: lazy(() => import('../views/rejected/Rejected.tsx')),
    isOfWorkspace: true,
    showsEvents: true,
  },
  {
    path: '/people',
    title: 'People',
    group: 'Data',
    icon: IconUsers,
    Component: lazy(() => import('../views/people/People.tsx')),
    isOfWorkspace: true,
    showsEvents: true,
  },
  {
    path: '/insights',
    title: 'Insights',
    group: 'Data',
    icon: IconChartHistogram,
    Component: lazy(() => import('../views/insights/Insights.tsx')),
    isOfWorkspace: true,
    showsEvents: true,
  },
  {
    path: '/segments',
    title: 'Segments',
    group: 'Data',
    icon: IconUsersGroup,
    Component: lazy(() => import('../views/segments/Segments.tsx')),
    isOfWorkspace: true,
  },
  {
    path: '/campaigns',
    title: 'Campaigns',
    group: 'Engage',
    icon: IconSpeakerphone,
    Component: lazy(() => import('../views/campaigns/Campaigns.tsx')),
    isOfWorkspace: true,
    showsEvents: true,
  },
  {
    path: '/journeys',
    title: 'Journeys',
    group: 'Engage',
    icon: IconRoute,
    Component: lazy(() => import('../views/journeys/Journeys.tsx')),
    isOfWorkspace: true,
  },
  {
    path: '/templates',
    title: 'Templates',
    group: 'Engage',
    icon: IconTemplate,
    Component: lazy(() => import('../views/templates/Templates.tsx')),
    isOfWorkspace: true,
    withoutWorkspace: { path: '/templates/reviews', role: 'PLATFORM_ADMIN' },
  },
  {
    path: '/payments',
    title: 'Payments',
    group: 'Money',
    icon: IconCreditCard,
    Component: lazy(() => import('../views/payments/Payments.tsx')),
    isOfWorkspace: true,
    withoutWorkspace: { path: '/payments/everybody', role: 'PLATFORM_ADMIN' },
  },
  {
    path: '/partner',
    title: 'Partner',
    group: 'Money',
    icon: IconHeartHandshake,
    Component: lazy(() => import('../views/partner/Partner.tsx')),
    isOfWorkspace: false,
  },
  {
    path: '/keys',
    title: 'Keys',
    group: 'Settings',
    icon: IconKey,
    Component: lazy(() => import('../views/keys/Keys.tsx')),
    isOfWorkspace: true,
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    group: 'Settings',
    icon: IconWebhook,
    Component: lazy(() => import('../views/webhooks/Webhooks.tsx')),
    isOfWorkspace: true,
  },
  {
    path: '/settings',
    title: 'Settings',
    group: 'Settings',
    icon: IconSettings,
    Component: lazy(() => import('../views/settings/Settings.tsx')),
    isOfWorkspace: false,
    ofWorkspace: [
      '/settings/workspace',
      '/settings/properties',
      '/settings/usage',
      '/settings/approvals',
      '/settings/logins',
      '/settings/privacy',
    ],
  },
  {
    path: '/operations',
    title: 'Operations',
    group: 'Settings',
    icon: IconServerCog,
    Component: lazy(() => import('../views/operations/Operations.tsx')),
    isOfWorkspace: false,
    role: 'PLATFORM_ADMIN',
  },
];

/** Whether the page at an address belongs to one workspace. */
export function needsWorkspace(view: View, location: string, roles: readonly Role[]): boolean {
  const { isOfWorkspace, withoutWorkspace: section, ofWorkspace = [] } = view;
  if (!isOfWorkspace) return ofWorkspace.some(path => isAt(location, path));
  return !(section && roles.includes(section.role) && isAt(location, section.path));
}

/** Whether an address is that of the view or of a part of it. */
export function isAt(location: string, path: string): boolean {
  if (path === HOME.path) return location === path;
  return `${location}/`.startsWith(`${path}/`);
}
