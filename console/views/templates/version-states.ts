// Explanations of the version states.

import type { Tone } from '../../pieces/State.tsx';

export type VersionState =
  | 'DRAFT'
  | 'SUBMITTED'
  | 'APPROVED'
  | 'ACTIVE'
  | 'SUPERSEDED'
  | 'REJECTED'
  | 'ARCHIVED';

type Meaning = { readonly tone: Tone; readonly label: string; readonly about: string };

export const VERSION_STATES: Readonly<Record<VersionState, Meaning>> = {
  DRAFT: { tone: 'quiet', label: 'Draft', about: 'Being written: nobody gets it.' },
  SUBMITTED: {
    tone: 'waiting',
    label: 'In review',
    about: 'The channel’s approver has it; it can’t be changed meanwhile.',
  },
  APPROVED: {
    tone: 'info',
    label: 'Approved',
    about: 'May be sent. Nobody gets it until it is made active.',
  },
  ACTIVE: { tone: 'good', label: 'Active', about: 'Who enters a journey now gets this one.' },
  SUPERSEDED: {
    tone: 'quiet',
    label: 'Superseded',
    about: 'Another one took its place. Who holds it still gets it.',
  },
  REJECTED: {
    tone: 'bad',
    label: 'Rejected',
    about: 'The approver refused it: it is never sent.',
  },
  ARCHIVED: { tone: 'quiet', label: 'Archived', about: 'Put away; it stays in the history.' },
};
