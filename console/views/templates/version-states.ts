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
  DRAFT: { tone: 'quiet', label: 'Draft', about: 'Being written, not sent to anyone.' },
  SUBMITTED: {
    tone: 'waiting',
    label: 'In review',
    about: 'Waiting for the channel’s approver. It can’t be edited.',
  },
  APPROVED: {
    tone: 'info',
    label: 'Approved',
    about: 'Can be sent once it is activated.',
  },
  ACTIVE: {
    tone: 'good',
    label: 'Active',
    about: 'People who enter a journey now receive this version.',
  },
  SUPERSEDED: {
    tone: 'quiet',
    label: 'Superseded',
    about: 'Replaced by another version. People pinned to it still receive it.',
  },
  REJECTED: {
    tone: 'bad',
    label: 'Rejected',
    about: 'Rejected by the approver. It is never sent.',
  },
  ARCHIVED: {
    tone: 'quiet',
    label: 'Archived',
    about: 'Never sent again; it stays in the history.',
  },
};
