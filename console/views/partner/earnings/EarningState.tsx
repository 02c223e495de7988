import { State, type Tone } from '../../../pieces/State.tsx';

type Status = 'PENDING' | 'AVAILABLE' | 'VOIDED' | 'CLAWED_BACK';

const STATES: Record<Status, { readonly label: string; readonly tone: Tone }> = {
  PENDING: { label: 'Held', tone: 'waiting' },
  AVAILABLE: { label: 'Available', tone: 'good' },
  VOIDED: { label: 'Voided', tone: 'bad' },
  CLAWED_BACK: { label: 'Clawed back', tone: 'bad' },
};

export const EARNING_STATUS_OPTIONS = Object.entries(STATES).map(([value, { label }]) => ({
  value,
  label,
}));

export function EarningState({ status }: { readonly status: Status }) {
  return <State name={status} {...STATES[status]} />;
}
