import type { Section } from '../../pieces/Sections.tsx';

export const REJECTED = {
  groups: '/rejected',
  event: '/rejected/event',
  replay: '/rejected/replay',
  replays: '/rejected/replays',
  replayed: <Id extends string>(id: Id) => `/rejected/replays/${id}` as const,
} as const;

export const SECTIONS: readonly Section[] = [
  { path: REJECTED.groups, title: 'Events', isExact: true },
  { path: REJECTED.replays, title: 'Replays' },
];
