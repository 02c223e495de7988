// States and counts of journeys in words.

import { inCount } from '../../pieces/in-words.ts';
import type { Tone } from '../../pieces/State.tsx';

export const STATUSES = ['DRAFT', 'ACTIVE', 'PAUSED', 'ARCHIVED'] as const;
export type JourneyStatus = (typeof STATUSES)[number];

export const STATUS_TONES: Readonly<Record<JourneyStatus, Tone>> = {
  DRAFT: 'info',
  ACTIVE: 'good',
  PAUSED: 'waiting',
  ARCHIVED: 'quiet',
};

export const STATUS_ABOUT: Readonly<Record<JourneyStatus, string>> = {
  DRAFT: 'Not started yet: no one can enter.',
  ACTIVE: 'People enter and move on.',
  PAUSED: 'No one enters, and nothing is sent.',
  ARCHIVED: 'Ended permanently.',
};

export function peopleInWords(count: number): string {
  return count === 1 ? '1 person' : `${inCount(count)} people`;
}

export const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** In the largest unit that it is a whole number of, such as "36 hours". */
export function inWait(seconds: number): string {
  const [unit, length] = UNITS.find(([, size]) => seconds % size === 0) ?? ['second', 1];
  const count = seconds / length;
  return `${inCount(count)} ${unit}${count === 1 ? '' : 's'}`;
}
