// The views of the console, in the order of the navigation. Each is loaded when it is first opened.

import {
  IconActivity,
  IconAlertTriangle,
  IconCreditCard,
  IconHeartHandshake,
  IconKey,
  IconSpeakerphone,
  IconTemplate,
  IconWebhook,
} from '@tabler/icons-react';
import { type ComponentType, lazy } from 'react';

export type View = {
  readonly path: string;
  readonly title: string;
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
  readonly Component: ComponentType;
  /** Shows what belongs to one workspace; the others, what belongs to the organization. */
  readonly isOfWorkspace: boolean;
  /** Whether the view shows counts or lists of events, which can be late. */
  readonly showsEvents?: boolean;
};

export const VIEWS: readonly View[] = [
  {
    path: '/live',
    title: 'Live',
    icon: IconActivity,
    Component: lazy(() => import('../views/live/Live.tsx')),
    isOfWorkspace: true,
    showsEvents: true,
  },
  {
    path: '/rejected',
    title: 'Rejected events',
    icon: IconAlertTriangle,
    Component: lazy(() => import('../views/rejected/Rejected.tsx')),
    isOfWorkspace: true,
    showsEvents: true,
  },
  {
    path: '/keys',
    title: 'Keys',
    icon: IconKey,
    Component: lazy(() => import('../views/keys/Keys.tsx')),
    isOfWorkspace: true,
  },
  {
    path: '/campaigns',
    title: 'Campaigns',
    icon: IconSpeakerphone,
    Component: lazy(() => import('../views/campaigns/Campaigns.tsx')),
    isOfWorkspace: true,
    showsEvents: true,
  },
  {
    path: '/partner',
    title: 'Partner',
    icon: IconHeartHandshake,
    Component: lazy(() => import('../views/partner/Partner.tsx')),
    isOfWorkspace: false,
  },
  {
    path: '/payments',
    title: 'Payments',
    icon: IconCreditCard,
    Component: lazy(() => import('../views/payments/Payments.tsx')),
    isOfWorkspace: false,
  },
  {
    path: '/templates',
    title: 'Templates',
    icon: IconTemplate,
    Component: lazy(() => import('../views/templates/Templates.tsx')),
    isOfWorkspace: true,
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    icon: IconWebhook,
    Component: lazy(() => import('../views/webhooks/Webhooks.tsx')),
    isOfWorkspace: true,
  },
];
