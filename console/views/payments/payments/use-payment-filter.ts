import { useMemo } from 'react';
import { useAddressFilters } from '../../../pieces/filters/use-address-filters.ts';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { METHOD_GROUPS } from './payment-methods.ts';

/** The gateway's statuses of a payment, in the order in which it passes through them. */
const STATUSES = ['PENDING', 'USER_DROPPED', 'CANCELLED', 'FAILED', 'SUCCESS'] as const;
export const STATUS_OPTIONS = STATUSES.map(value => ({ value, label: inPlainWords(value) }));

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export type Chosen = {
  /** An ID of a payment, or of its order, link or subscription; or words of the link’s purpose or of the order’s note. */
  readonly search: string;
  readonly status: string;
  /** A group of the gateway's methods. */
  readonly method: string;
  /** The first and the last day, of the viewer's calendar. */
  readonly from: string;
  readonly to: string;
};

/**
 * The filters of the payments, kept in the address; an empty text is no filter. The palette adds `?refund` for
 * viewers who look for a payment to refund.
 */
export function usePaymentFilter() {
  const { params, change } = useAddressFilters();
  const text = params.toString();
  const { chosen, variables } = useMemo(() => {
    const read = readChosen(new URLSearchParams(text));
    return { chosen: read, variables: variablesOf(read) };
  }, [text]);
  return { chosen, variables, choose: change, isToRefund: params.has('refund') };
}

/** The address can contain any text. */
function readChosen(params: URLSearchParams): Chosen {
  const status = params.get('status') ?? '';
  const method = params.get('method') ?? '';
  return {
    search: params.get('search') ?? '',
    status: STATUSES.some(known => known === status) ? status : '',
    method: METHOD_GROUPS.some(known => known.value === method) ? method : '',
    from: dayOf(params.get('from')),
    to: dayOf(params.get('to')),
  };
}

function dayOf(text: string | null): string {
  return text !== null && DAY.test(text) && !Number.isNaN(startOf(text).getTime()) ? text : '';
}

function startOf(day: string, daysLater = 0): Date {
  const start = new Date(`${day}T00:00:00`);
  start.setDate(start.getDate() + daysLater);
  return start;
}

/** Of the list and of the totals. */
export type PaymentVariables = {
  readonly search?: string;
  readonly status?: string;
  readonly methods?: string[];
  readonly since?: string;
  readonly until?: string;
};

function variablesOf({ search, status, method, from, to }: Chosen): PaymentVariables {
  const methods = METHOD_GROUPS.find(({ value }) => value === method)?.methods;
  return {
    ...(search !== '' && { search }),
    ...(status !== '' && { status }),
    ...(methods !== undefined && { methods: [...methods] }),
    ...(from !== '' && { since: startOf(from).toISOString() }),
    ...(to !== '' && { until: startOf(to, 1).toISOString() }),
  };
}
