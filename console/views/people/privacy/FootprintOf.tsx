import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { FOOTPRINT, type Footprint } from './footprint-query.ts';

type FootprintOfProps = {
  readonly userId: string;
  /** The action on the data that was found. */
  readonly children: (footprint: Footprint) => ReactNode;
};

/** Finds the stored data of a person, which reads all tables and can take some seconds. */
export function FootprintOf({ userId, children }: FootprintOfProps) {
  const asked = useQuery({
    query: FOOTPRINT,
    variables: { userId },
    requestPolicy: 'network-only',
  });
  return (
    <Asked asked={asked} label="Searching all tables">
      {({ personFootprint }) =>
        personFootprint && (
          <Stack>
            <Found footprint={personFootprint} />
            {children(personFootprint)}
          </Stack>
        )
      }
    </Asked>
  );
}

function Found({ footprint }: { readonly footprint: Footprint }) {
  const { userIds, anonymousIds, sharedAnonymousIds, otherContactIds } = footprint;
  return (
    <>
      <Text size="sm">{summaryOf(footprint)}</Text>
      <Text component="ul" size="sm" m={0} pl="lg">
        <Ids label="User and contact IDs" ids={userIds} />
        <Ids label="Anonymous IDs" ids={anonymousIds} />
        <Ids label="Not included: devices shared with others" ids={sharedAnonymousIds} />
        <Ids label="Not included: other contacts in the same rows" ids={otherContactIds} />
      </Text>
    </>
  );
}

function summaryOf({ tables }: Footprint): string {
  const counted = tables.filter(({ before }) => before !== null && before > 0);
  const rows = counted.reduce((sum, { before }) => sum + (before ?? 0), 0);
  if (rows === 0) return 'No rows are stored.';
  const inTables = counted.length === 1 ? '1 table' : `${inCount(counted.length)} tables`;
  return `${rows === 1 ? '1 row is' : `${inCount(rows)} rows are`} stored, in ${inTables}.`;
}

function Ids({ label, ids }: { readonly label: string; readonly ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <li style={{ overflowWrap: 'anywhere' }}>
      {label}: <span className="mono">{ids.join(', ')}</span>
    </li>
  );
}
