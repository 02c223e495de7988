import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../../graph/graphql.ts';
import { EVENT_NAME_DAYS, rangeOfNames, useEventNames } from './use-event-names.ts';

const NAMED = graphql(`
  query NewestEventNamed($range: ReportRange!, $names: [String!]) {
    events(range: $range, names: $names, first: 1) { nodes { messageId } }
  }
`);

/** Whether the input has paused: names that are not listed are looked up in the events. */
const TYPING_MS = 600;

/** What to say of a name that no event of the last days has; undefined while that is not known. */
export function useUnknownName(typed: string): string | undefined {
  const names = useEventNames();
  const [name] = useDebouncedValue(typed.trim(), TYPING_MS);
  const isListed = names?.some(one => one.name === name);
  const variables = useMemo(() => ({ range: rangeOfNames(), names: [name] }), [name]);
  const [{ data, fetching, stale }] = useQuery({
    query: NAMED,
    variables,
    pause: name === '' || isListed !== false,
  });
  const isKnown = name === typed.trim() && !fetching && !stale;
  if (name === '' || isListed !== false || !isKnown || data?.events?.nodes.length !== 0)
    return undefined;
  return `No event with this name was received in the last ${EVENT_NAME_DAYS} days. Names are case-sensitive.`;
}
