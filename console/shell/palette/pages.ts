// What the palette finds besides the titles of the views: their sections, and other words for them.

import type { Role } from '../../session/ViewerProvider.tsx';
import { isAt, VIEWS } from '../views.ts';

/** By path of a view: words that users look for, with a comma between them. */
export const WORDS: Readonly<Record<string, string>> = {
  '/live': 'events, stream, real time, debug',
  '/rejected': 'errors, invalid, failed, replay',
  '/people': 'users, contacts, customers, profiles, consents, forget, erase, delete, GDPR',
  '/insights': 'reports, analytics',
  '/segments': 'audiences, cohorts, groups',
  '/campaigns': 'messages, in-app, push, banners, popups, surveys, NPS',
  '/journeys': 'flows, automation, pause, resume',
  '/templates': 'messages, SMS, email, review, approval',
  '/payments': 'gateway, transactions',
  '/partner': 'referrals, affiliate, agency, commission, credits',
  '/keys': 'SDK, write key, rotate, replace, revoke, expire, test event',
  '/webhooks': 'endpoints, secrets',
  '/settings': 'workspace, organization',
  '/operations': 'platform, administration',
};

export type Section = {
  readonly title: string;
  readonly href: string;
  /** As the words of a view. */
  readonly words?: string;
  /** Hidden from viewers without it. */
  readonly role?: Role;
  /** What waits for the viewer comes before their own pages of the same name. */
  readonly isFirst?: true;
};

/** Shown once something is typed, below the title of their view. */
export const SECTIONS: readonly Section[] = [
  { title: 'Replays', href: '/rejected/replays', words: 'send again' },
  { title: 'Trends', href: '/insights/trends', words: 'charts, counts' },
  { title: 'Funnel', href: '/insights/funnel', words: 'checkout, drop off' },
  { title: 'Retention', href: '/insights/retention', words: 'cohorts' },
  { title: 'Push results', href: '/campaigns/push', words: 'clicks' },
  {
    title: 'Template reviews',
    href: '/templates/reviews',
    words: 'approve, reject',
    role: 'PLATFORM_ADMIN',
  },
  {
    title: 'Deliveries',
    href: '/webhooks/deliveries',
    words: 'resend, retry',
  },
  { title: 'Orders', href: '/payments/orders' },
  { title: 'Payment links', href: '/payments/links' },
  {
    title: 'Refund a payment',
    href: '/payments?status=SUCCESS&refund',
    words: 'money back',
    role: 'OWNER',
  },
  { title: 'Refunds', href: '/payments/refunds', words: 'money back' },
  { title: 'Plans', href: '/payments/plans' },
  { title: 'Subscriptions', href: '/payments/subscriptions' },
  { title: 'Vendors', href: '/payments/vendors' },
  { title: 'Disputes', href: '/payments/disputes', words: 'chargebacks' },
  { title: 'Settlements', href: '/payments/settlements' },
  { title: 'Gateway events', href: '/payments/events' },
  {
    title: 'Gateway account',
    href: '/payments/account',
    words: 'credentials, connection',
  },
  { title: 'Everybody’s events', href: '/payments/everybody', role: 'PLATFORM_ADMIN' },
  { title: 'Wallet', href: '/partner/wallet', words: 'balance, redeem, convert' },
  { title: 'Earnings', href: '/partner/earnings' },
  { title: 'Payouts', href: '/partner/payouts', words: 'withdraw, cash, bank' },
  { title: 'Identity', href: '/partner/identity', words: 'KYC, PAN, GST, verify' },
  {
    title: 'Review identities (KYC)',
    href: '/partner/reviews/identities',
    words: 'reviews, approve, reject',
    role: 'PLATFORM_ADMIN',
    isFirst: true,
  },
  {
    title: 'Review payouts',
    href: '/partner/reviews/payouts',
    words: 'reviews, approve, reject',
    role: 'PLATFORM_ADMIN',
    isFirst: true,
  },
  {
    title: 'Review deals',
    href: '/partner/reviews/deals',
    words: 'reviews, won, lost, proof',
    role: 'PLATFORM_ADMIN',
  },
  { title: 'Review earnings', href: '/partner/reviews/earnings', role: 'PLATFORM_ADMIN' },
  { title: 'Ledger check', href: '/partner/reviews/books', role: 'PLATFORM_ADMIN' },
  { title: 'Partner audit log', href: '/partner/reviews/changes', role: 'PLATFORM_ADMIN' },
  {
    title: 'Workspace',
    // The first section of the settings, which needs a workspace: without one, they open with another.
    href: '/settings/workspace',
    words: 'rename, name, frequency caps',
  },
  { title: 'Properties', href: '/settings/properties', words: 'apps, sites' },
  { title: 'Usage', href: '/settings/usage', words: 'limits, quota, caps' },
  {
    title: 'Approvals',
    href: '/settings/approvals',
    words: 'review, deadlines, alerts',
  },
  {
    title: 'Analyst logins',
    href: '/settings/logins',
    words: 'ClickHouse, warehouse, SQL, database, password',
  },
  {
    title: 'Privacy',
    href: '/settings/privacy',
    words: 'retention, erasures, erase, forget, delete, GDPR',
  },
  { title: 'Organization', href: '/settings/organization', words: 'workspaces, company, rename' },
  { title: 'Audit log', href: '/settings/audit', words: 'history, changes', role: 'OWNER' },
  { title: 'Rejected rows', href: '/operations/rows', role: 'PLATFORM_ADMIN' },
  { title: 'Cells', href: '/operations/cells', words: 'regions', role: 'PLATFORM_ADMIN' },
  {
    title: 'Organizations',
    href: '/operations/organizations',
    words: 'tenants, limits',
    role: 'PLATFORM_ADMIN',
  },
  { title: 'User access', href: '/operations/users', words: 'block', role: 'PLATFORM_ADMIN' },
  { title: 'Program terms', href: '/operations/terms', role: 'PLATFORM_ADMIN' },
  { title: 'Agencies', href: '/operations/agencies', role: 'PLATFORM_ADMIN' },
  { title: 'Invoices', href: '/operations/invoices', words: 'billing', role: 'PLATFORM_ADMIN' },
  { title: 'Billing links', href: '/operations/links', role: 'PLATFORM_ADMIN' },
];

/** Of the view or section at an address. */
export function titleAt(location: string): string | undefined {
  const section = SECTIONS.find(({ href }) => href === location);
  return (section ?? VIEWS.find(({ path }) => isAt(location, path)))?.title;
}
