import { useMemo } from 'react';
import { useAddressFilters } from '../../../pieces/filters/use-address-filters.ts';
import { SUBJECTS } from './audit-words.ts';

const DAY_MS = 86_400_000;

export const PERIODS = [
  { value: '1', label: 'Last 24 hours' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
];

export type Chosen = { readonly subject: string; readonly actor: string; readonly days: string };

/** The filters of the audit log, kept in the address; an empty text is no filter. */
export function useAuditFilter() {
  const { params, change } = useAddressFilters();
  const text = params.toString();
  const { chosen, variables } = useMemo(() => {
    const read = readChosen(new URLSearchParams(text));
    return { chosen: read, variables: variablesOf(read, Date.now()) };
  }, [text]);
  return { chosen, variables, choose: change };
}

/** The address can contain any text. */
function readChosen(params: URLSearchParams): Chosen {
  const [subject, days] = [params.get('subject') ?? '', params.get('days') ?? ''];
  return {
    subject: Object.hasOwn(SUBJECTS, subject) ? subject : '',
    actor: params.get('actor') ?? '',
    days: PERIODS.some(({ value }) => value === days) ? days : '',
  };
}

function variablesOf({ subject, actor, days }: Chosen, nowMs: number) {
  return {
    ...(subject !== '' && { subjectType: subject }),
    ...(actor !== '' && { actorId: actor }),
    ...(days !== '' && { since: new Date(nowMs - Number(days) * DAY_MS).toISOString() }),
  };
}
