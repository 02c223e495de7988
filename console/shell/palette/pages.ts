// What the palette finds besides the titles of the views: their sections, and other words for them.

import type { Role } from '../../session/ViewerProvider.tsx';

/** By path of a view: words that users look for. */
export const WORDS: Readonly<Record<string, string>> = {
  '/live': 'events stream real time debug',
  '/rejected': 'errors invalid failed replay',
  '/people': 'users contacts customers profiles consents forget erase delete gdpr',
  '/insights': 'reports analytics funnels trends retention',
  '/segments': 'audiences cohorts groups',
  '/campaigns': 'messages in-app push surveys nps',
  '/journeys': 'flows automation pause resume',
  '/templates': 'messages sms email review approval',
  '/payments': 'gateway transactions refunds',
  '/partner': 'referrals affiliate agency commission credits',
  '/keys': 'sdk write key rotate replace revoke expire test event',
  '/webhooks': 'endpoints secrets deliveries',
  '/settings': 'workspace organization',
  '/operations': 'platform administration',
};

export type Section = {
  readonly title: string;
  readonly href: string;
  readonly words?: string;
  /** Hidden from viewers without it. */
  readonly role?: Role;
  readonly needsWorkspace?: true;
  /** What waits for the viewer comes before their own pages of the same name. */
  readonly isFirst?: true;
};

/** Shown once something is typed, below the title of their view. */
export const SECTIONS: readonly Section[] = [
  { title: 'Replays', href: '/rejected/replays', words: 'send again', needsWorkspace: true },
  { title: 'Trends', href: '/insights/trends', words: 'charts counts', needsWorkspace: true },
  { title: 'Funnel', href: '/insights/funnel', words: 'checkout drop off', needsWorkspace: true },
  { title: 'Retention', href: '/insights/retention', words: 'cohorts', needsWorkspace: true },
  { title: 'Push results', href: '/campaigns/push', words: 'clicks', needsWorkspace: true },
  {
    title: 'Template reviews',
    href: '/templates/reviews',
    words: 'approve reject',
    role: 'PLATFORM_ADMIN',
  },
  {
    title: 'Deliveries',
    href: '/webhooks/deliveries',
    words: 'resend retry',
    needsWorkspace: true,
  },
  { title: 'Orders', href: '/payments/orders', needsWorkspace: true },
  { title: 'Payment links', href: '/payments/links', needsWorkspace: true },
  { title: 'Refunds', href: '/payments/refunds', words: 'money back', needsWorkspace: true },
  { title: 'Plans', href: '/payments/plans', needsWorkspace: true },
  { title: 'Subscriptions', href: '/payments/subscriptions', needsWorkspace: true },
  { title: 'Vendors', href: '/payments/vendors', needsWorkspace: true },
  { title: 'Disputes', href: '/payments/disputes', words: 'chargebacks', needsWorkspace: true },
  { title: 'Settlements', href: '/payments/settlements', needsWorkspace: true },
  { title: 'Gateway events', href: '/payments/events', needsWorkspace: true },
  {
    title: 'Gateway account',
    href: '/payments/account',
    words: 'credentials connection',
    needsWorkspace: true,
  },
  { title: 'Everybody’s events', href: '/payments/everybody', role: 'PLATFORM_ADMIN' },
  { title: 'Wallet', href: '/partner/wallet', words: 'balance redeem convert' },
  { title: 'Earnings', href: '/partner/earnings' },
  { title: 'Payouts', href: '/partner/payouts', words: 'withdraw cash bank' },
  { title: 'Identity', href: '/partner/identity', words: 'kyc pan gst verify' },
  {
    title: 'Review identities',
    href: '/partner/reviews/identities',
    words: 'reviews kyc approve reject',
    role: 'PLATFORM_ADMIN',
    isFirst: true,
  },
  {
    title: 'Review payouts',
    href: '/partner/reviews/payouts',
    words: 'reviews approve reject',
    role: 'PLATFORM_ADMIN',
    isFirst: true,
  },
  {
    title: 'Review deals',
    href: '/partner/reviews/deals',
    words: 'reviews won lost proof',
    role: 'PLATFORM_ADMIN',
  },
  { title: 'Review earnings', href: '/partner/reviews/earnings', role: 'PLATFORM_ADMIN' },
  { title: 'Ledger check', href: '/partner/reviews/books', role: 'PLATFORM_ADMIN' },
  { title: 'Partner audit log', href: '/partner/reviews/changes', role: 'PLATFORM_ADMIN' },
  {
    title: 'Workspace',
    href: '/settings',
    words: 'rename name frequency caps',
    needsWorkspace: true,
  },
  { title: 'Properties', href: '/settings/properties', words: 'apps sites', needsWorkspace: true },
  { title: 'Usage', href: '/settings/usage', words: 'limits quota caps', needsWorkspace: true },
  {
    title: 'Approvals',
    href: '/settings/approvals',
    words: 'review deadlines alerts',
    needsWorkspace: true,
  },
  {
    title: 'Analyst logins',
    href: '/settings/logins',
    words: 'clickhouse warehouse sql database password',
    needsWorkspace: true,
  },
  {
    title: 'Privacy',
    href: '/settings/privacy',
    words: 'retention erasures erase forget delete gdpr',
    needsWorkspace: true,
  },
  { title: 'Organization', href: '/settings/organization', words: 'workspaces company rename' },
  { title: 'Audit log', href: '/settings/audit', words: 'history changes', role: 'OWNER' },
  { title: 'Rejected rows', href: '/operations/rows', role: 'PLATFORM_ADMIN' },
  { title: 'Cells', href: '/operations/cells', words: 'regions', role: 'PLATFORM_ADMIN' },
  {
    title: 'Organizations',
    href: '/operations/organizations',
    words: 'tenants limits',
    role: 'PLATFORM_ADMIN',
  },
  { title: 'User access', href: '/operations/users', words: 'block', role: 'PLATFORM_ADMIN' },
  { title: 'Program terms', href: '/operations/terms', role: 'PLATFORM_ADMIN' },
  { title: 'Agencies', href: '/operations/agencies', role: 'PLATFORM_ADMIN' },
  { title: 'Invoices', href: '/operations/invoices', words: 'billing', role: 'PLATFORM_ADMIN' },
  { title: 'Billing links', href: '/operations/links', role: 'PLATFORM_ADMIN' },
];
