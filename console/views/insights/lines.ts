// The lines of a report that is broken down by a property.

import type { Series } from '../../pieces/chart/chart-props.ts';

/** As many as eyes tell apart. */
export const TONES: readonly Series['tone'][] = ['brand', 'waiting', 'good', 'bad', 'quiet'];

type Line = { readonly value: string | null | undefined; readonly isRest: boolean };

export function nameOfLine({ value, isRest }: Line): string {
  if (isRest) return 'All others';
  if (value === null || value === undefined) return 'No value';
  return value === '' ? 'Empty' : value;
}
