import type { Section } from '../../pieces/Sections.tsx';

export const PAYMENTS = {
  payments: '/payments',
  payment: <Id extends string>(id: Id) => `/payments/payments/${id}` as const,
  /** The payments of an order, a link or a subscription, by its ID. */
  search: (id: string) => `/payments?${new URLSearchParams({ search: id })}` as const,
  links: '/payments/links',
  link: <Id extends string>(id: Id) => `/payments/links/${id}` as const,
  orders: '/payments/orders',
  order: <Id extends string>(id: Id) => `/payments/orders/${id}` as const,
  refunds: '/payments/refunds',
  plans: '/payments/plans',
  subscriptions: '/payments/subscriptions',
  subscription: <Id extends string>(id: Id) => `/payments/subscriptions/${id}` as const,
  vendors: '/payments/vendors',
  disputes: '/payments/disputes',
  settlements: '/payments/settlements',
  events: '/payments/events',
  event: <Id extends string>(id: Id) => `/payments/events/${id}` as const,
  account: '/payments/account',
  everybody: '/payments/everybody',
} as const;

export const SECTIONS: readonly Section[] = [
  { path: PAYMENTS.payments, title: 'Payments', isExact: true },
  { path: PAYMENTS.links, title: 'Links' },
  { path: PAYMENTS.orders, title: 'Orders' },
  { path: PAYMENTS.refunds, title: 'Refunds' },
  { path: PAYMENTS.plans, title: 'Plans' },
  { path: PAYMENTS.subscriptions, title: 'Subscriptions' },
  { path: PAYMENTS.vendors, title: 'Vendors' },
  { path: PAYMENTS.disputes, title: 'Disputes' },
  { path: PAYMENTS.settlements, title: 'Settlements' },
  { path: PAYMENTS.events, title: 'Events' },
  { path: PAYMENTS.account, title: 'Account' },
];

/** Platform admins only. */
export const PLATFORM_SECTION: Section = { path: PAYMENTS.everybody, title: 'Everybody’s events' };
