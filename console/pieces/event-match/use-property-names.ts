import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../../graph/graphql.ts';
import { DAY_MS } from '../range/range.ts';
import { COLUMN_NAMES, propertyText } from './property-text.ts';

const NEWEST = graphql(`
  query NewestProperties($range: ReportRange!, $names: [String!]) {
    events(range: $range, names: $names, first: 20) { nodes { properties context } }
  }
`);

const DAYS = 7;
/** Whether the input has paused: the name of the event may be half typed. */
const TYPING_MS = 600;
/** Deeper values can be typed. */
const LEVELS_MAX = 3;

/** The values that the newest events with a name have, once they are asked for, and the columns of all events. */
export function usePropertyNames(eventName: string, isAsked: boolean): readonly string[] {
  const [name] = useDebouncedValue(eventName.trim(), TYPING_MS);
  const variables = useMemo(() => {
    const midnight = new Date().setHours(24, 0, 0, 0);
    const [from, to] = [midnight - DAYS * DAY_MS, midnight];
    return {
      range: { from: new Date(from).toISOString(), to: new Date(to).toISOString() },
      ...(name !== '' && { names: [name] }),
    };
  }, [name]);
  const [{ data }] = useQuery({ query: NEWEST, variables, pause: !isAsked });
  return useMemo(() => {
    const nodes = data?.events?.nodes ?? [];
    const found = [
      ...nodes.flatMap(({ properties }) => pathsIn(properties).map(path => ({ properties: path }))),
      ...nodes.flatMap(({ context }) => pathsIn(context).map(path => ({ context: path }))),
    ];
    return [...new Set([...found.map(propertyText), ...COLUMN_NAMES])];
  }, [data]);
}

/** The paths of the texts, numbers and Booleans in an object. */
function pathsIn(value: unknown, level = 1): string[][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (inner === null || Array.isArray(inner)) return [];
    if (typeof inner !== 'object') return [[key]];
    return level === LEVELS_MAX ? [] : pathsIn(inner, level + 1).map(path => [key, ...path]);
  });
}
