import { State, type Tone } from '../../../pieces/State.tsx';

type Status = 'PENDING' | 'AVAILABLE' | 'VOIDED' | 'CLAWED_BACK';

const STATES: Record<Status, { readonly label: string; readonly tone: Tone }> = {
  PENDING: { label: 'Held', tone: 'waiting' },
  AVAILABLE: { label: 'In the balance', tone: 'good' },
  VOIDED: { label: 'Voided while held', tone: 'bad' },
  CLAWED_BACK: { label: 'Taken back', tone: 'bad' },
};

export const EARNING_STATUS_OPTIONS = Object.entries(STATES).map(([value, { label }]) => ({
  value,
  label,
}));

export function EarningState({ status }: { readonly status: Status }) {
  return <State name={status} {...STATES[status]} />;
}
