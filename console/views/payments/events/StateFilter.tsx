import { Select } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { EVENT_STATES, isEventState } from './event-states.ts';
import type { EventState } from './events-query.ts';

const STATES = Object.entries(EVENT_STATES).map(([value, { label }]) => ({ value, label }));

type StateFilterProps = {
  readonly value: EventState | undefined;
  readonly onChange: (state: string | null) => void;
  readonly isNeeded?: boolean;
};

export function StateFilter({ value, onChange, isNeeded = false }: StateFilterProps) {
  return (
    <Select
      aria-label="State"
      placeholder="Any state"
      size="xs"
      w={170}
      data={STATES}
      value={value ?? null}
      clearable={!isNeeded}
      clearButtonProps={{ 'aria-label': 'Any state' }}
      allowDeselect={!isNeeded}
      onChange={onChange}
    />
  );
}

/** Kept in the URL, so that a link shows the same list. */
export function useEventState(): [EventState | undefined, (state: string | null) => void] {
  const [search, setSearch] = useSearchParams();
  const state = search.get('state') ?? '';
  const choose = (next: string | null) =>
    setSearch(next === null ? {} : { state: next }, { replace: true });
  return [isEventState(state) ? state : undefined, choose];
}
