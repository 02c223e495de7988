// The view's addresses.

import type { Section } from '../../pieces/Sections.tsx';

export const INSIGHTS = {
  trends: '/insights/trends',
  funnel: '/insights/funnel',
  retention: '/insights/retention',
} as const;

export const SECTIONS: readonly Section[] = [
  { path: INSIGHTS.trends, title: 'Trends' },
  { path: INSIGHTS.funnel, title: 'Funnel' },
  { path: INSIGHTS.retention, title: 'Retention' },
];
