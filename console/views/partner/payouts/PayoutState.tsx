import { State, type Tone } from '../../../pieces/State.tsx';
import type { Payout } from './payouts-query.ts';

type Status = Payout['status'];

const STATES: Record<Status, { readonly label: string; readonly tone: Tone }> = {
  REQUESTED: { label: 'Requested', tone: 'waiting' },
  PROCESSING: { label: 'Processing', tone: 'info' },
  PAID: { label: 'Paid', tone: 'good' },
  REJECTED: { label: 'Rejected', tone: 'bad' },
  FAILED: { label: 'Failed', tone: 'bad' },
  REVERSED: { label: 'Returned', tone: 'bad' },
};

export const PAYOUT_STATUS_OPTIONS = Object.entries(STATES).map(([value, { label }]) => ({
  value,
  label,
}));

export function PayoutState({ status }: { readonly status: Status }) {
  return <State name={status} {...STATES[status]} />;
}
