import { State, type Tone } from '../../../pieces/State.tsx';
import type { DealStatus } from './deals-query.ts';

const STATES: Record<DealStatus, { readonly label: string; readonly tone: Tone }> = {
  REGISTERED: { label: 'Registered', tone: 'waiting' },
  PROOF_SUBMITTED: { label: 'Proof submitted', tone: 'info' },
  WON: { label: 'Won', tone: 'good' },
  LOST: { label: 'Lost', tone: 'bad' },
  EXPIRED: { label: 'Expired', tone: 'quiet' },
  WITHDRAWN: { label: 'Withdrawn', tone: 'quiet' },
};

export const DEAL_STATUS_OPTIONS = Object.entries(STATES).map(([value, { label }]) => ({
  value,
  label,
}));

export function DealState({ status }: { readonly status: DealStatus }) {
  return <State name={status} {...STATES[status]} />;
}
