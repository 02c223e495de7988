// Why a message used its version, in words.

import type { Tone } from '../../../pieces/State.tsx';
import type { Message } from './messages-query.ts';

export type Reason = Message['reason'];

type Shown = { readonly label: string; readonly tone: Tone };

export const REASONS: Readonly<Record<Reason, Shown>> = {
  ACTIVE: { label: 'Active version', tone: 'quiet' },
  PIN: { label: 'Pinned version', tone: 'quiet' },
  OVERRIDE: { label: 'Override', tone: 'info' },
  FORCED: { label: 'Forced rollout', tone: 'info' },
  RELEASED_PIN: { label: 'Pin released', tone: 'info' },
  FALLBACK_REJECTED: { label: 'Pin rejected', tone: 'waiting' },
  PIN_UNSENDABLE: { label: 'Pin not sendable', tone: 'waiting' },
};

export const REASON_NAMES = Object.keys(REASONS) as readonly Reason[];
