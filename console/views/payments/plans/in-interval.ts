import { inCount } from '../../../pieces/in-words.ts';

type Plan = { readonly interval: string | null; readonly intervals: number | null };

/** When the subscriptions of a plan are charged. */
export function inInterval({ interval, intervals }: Plan): string {
  if (interval === null || intervals === null) return 'on demand';
  const unit = interval.toLowerCase();
  return intervals === 1 ? `every ${unit}` : `every ${inCount(intervals)} ${unit}s`;
}
