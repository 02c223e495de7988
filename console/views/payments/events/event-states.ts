import type { Tone } from '../../../pieces/State.tsx';
import type { EventState } from './events-query.ts';

export const EVENT_STATES: Record<EventState, { tone: Tone; label: string; about: string }> = {
  RECEIVED: {
    tone: 'info',
    label: 'Received',
    about: 'It is kept, and takes effect within a second.',
  },
  PROCESSED: { tone: 'good', label: 'Took effect', about: 'All that it told is done.' },
  IGNORED: {
    tone: 'quiet',
    label: 'Without effect',
    about: 'It is of no concern here, or about what is not known (yet).',
  },
  FAILED: { tone: 'waiting', label: 'Tried again', about: 'It failed, and is tried again.' },
  PARKED: {
    tone: 'bad',
    label: 'Parked',
    about: 'It failed too often. A platform admin can retry it once the cause is fixed.',
  },
};

/** The states in which an event can be replayed: it had no effect. */
export const REPLAYABLE: ReadonlySet<EventState> = new Set(['PARKED', 'FAILED', 'IGNORED']);

export const isEventState = (text: string): text is EventState => Object.hasOwn(EVENT_STATES, text);
