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

/** One sentence for each report, by its address. */
export const ABOUT: Readonly<Record<string, string>> = {
  [INSIGHTS.trends]:
    'Event counts, unique people, and sums, averages or percentiles of event properties over time.',
  [INSIGHTS.funnel]: 'How many people complete a sequence of events, and where they drop off.',
  [INSIGHTS.retention]: 'How many people return in the days or weeks after a first event.',
};
