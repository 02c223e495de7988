// The filters of the log, kept in the URL, so that a link shows the same list.

import { useMemo } from 'react';
import { useAddressFilters } from '../../../pieces/filters/use-address-filters.ts';
import { DELIVERY_STATES, OUTCOMES, type ShownState } from '../endpoint-words.ts';
import type { DeliveryFilter, Outcome } from './deliveries-query.ts';

export type Chosen = {
  readonly state?: ShownState;
  readonly outcome?: Outcome;
  readonly type?: string;
  /** In hours, until now. */
  readonly hours?: string;
};

export type Choose = (name: keyof Chosen, value: string | null) => void;

const HOUR_MS = 3_600_000;
const HOURS_MAX = 24 * 30;

export function useDeliveryFilter(): {
  readonly filter: DeliveryFilter;
  readonly chosen: Chosen;
  readonly choose: Choose;
} {
  const { params, change } = useAddressFilters();
  const text = params.toString();
  const { filter, chosen } = useMemo(() => {
    const read = readChosen(new URLSearchParams(text));
    return { chosen: read, filter: filterOf(read, Date.now()) };
  }, [text]);
  return { filter, chosen, choose: change };
}

/** The URL can contain any text; only values that the API accepts are used. */
function readChosen(search: URLSearchParams): Chosen {
  const [state, outcome] = [search.get('state') ?? '', search.get('outcome') ?? ''];
  const [type, hours] = [search.get('type'), Number(search.get('hours'))];
  return {
    ...(Object.hasOwn(DELIVERY_STATES, state) && { state: state as ShownState }),
    ...(Object.hasOwn(OUTCOMES, outcome) && { outcome: outcome as Outcome }),
    ...(type !== null && type !== '' && { type }),
    ...(hours > 0 && hours <= HOURS_MAX && { hours: String(hours) }),
  };
}

const BY_STATE: Record<ShownState, DeliveryFilter> = {
  PENDING: { state: 'PENDING', isRetrying: false },
  RETRYING: { state: 'PENDING', isRetrying: true },
  DELIVERED: { state: 'DELIVERED' },
  FAILED: { state: 'FAILED' },
  CANCELLED: { state: 'CANCELLED' },
};

function filterOf({ state, outcome, type, hours }: Chosen, nowMs: number): DeliveryFilter {
  return {
    ...(state !== undefined && BY_STATE[state]),
    ...(outcome !== undefined && { outcome }),
    ...(type !== undefined && { eventType: type }),
    ...(hours !== undefined && {
      since: new Date(nowMs - Number(hours) * HOUR_MS).toISOString(),
    }),
  };
}
