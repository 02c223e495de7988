import type { Section } from '../../pieces/Sections.tsx';

export const WEBHOOKS = {
  endpoints: '/webhooks',
  endpoint: <Id extends string>(id: Id) => `/webhooks/endpoints/${id}` as const,
  deliveries: '/webhooks/deliveries',
  delivery: <Id extends string>(id: Id) => `/webhooks/deliveries/${id}` as const,
} as const;

export const SECTIONS: readonly Section[] = [
  { path: WEBHOOKS.endpoints, title: 'Endpoints', isExact: true },
  { path: WEBHOOKS.deliveries, title: 'Deliveries' },
];
