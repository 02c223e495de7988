import { useDelay, useIsBehind } from '../use-delay.ts';

/** For each UTC day, whether more of it can arrive, because reports are late. */
export function useUnknownDays(days: readonly string[]): boolean[] {
  const delay = useDelay();
  const isBehind = useIsBehind();
  const completeUntil = delay?.completeUntil ?? new Date().toISOString();
  const unknownFrom = completeUntil.slice(0, 'YYYY-MM-DD'.length);
  return days.map(day => isBehind && day >= unknownFrom);
}
