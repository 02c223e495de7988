import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { rowsInWords } from '../../../pieces/erased-rows.ts';
import { inCount } from '../../../pieces/in-words.ts';
import { Problem } from '../../../pieces/Problem.tsx';
import { FOOTPRINT, type Footprint, ROWS, type Tables } from './footprint-query.ts';

type FootprintOfProps = {
  readonly userId: string;
  /**
   * The action on the data. It is shown before the IDs are found, so that typing can begin at once, and
   * needs no counts.
   */
  readonly children: (footprint: Footprint | undefined, tables: Tables | undefined) => ReactNode;
};

/** Finds the IDs of a person, then counts their rows. */
export function FootprintOf({ userId, children }: FootprintOfProps) {
  const [found, find] = useQuery({
    query: FOOTPRINT,
    variables: { userId },
    requestPolicy: 'network-only',
  });
  const footprint = found.data?.personFootprint ?? undefined;
  const rows = useRows(userId, footprint);
  return (
    <Stack>
      <div aria-live="polite" aria-busy={found.fetching || rows.isCounting}>
        {found.error && (
          <Problem error={found.error} onRetry={() => find({ requestPolicy: 'network-only' })} />
        )}
        {footprint === undefined && found.fetching && (
          <Text size="sm">Finding the IDs of this person, which must come first…</Text>
        )}
        {footprint && (
          <>
            <Rows {...rows} />
            <AllIds footprint={footprint} />
          </>
        )}
      </div>
      {children(footprint, rows.tables)}
    </Stack>
  );
}

type CountedRows = {
  /** Undefined if they are not of the same IDs. */
  readonly tables: Tables | undefined;
  readonly isCounting: boolean;
  readonly count: () => void;
};

/** After the IDs, so that they need not share the database with the count. */
function useRows(userId: string, footprint: Footprint | undefined): CountedRows {
  const [{ data, fetching }, ask] = useQuery({
    query: ROWS,
    variables: { userId },
    requestPolicy: 'network-only',
    pause: footprint === undefined,
  });
  const counted = data?.personFootprint;
  return {
    tables:
      counted && counted.confirmation === footprint?.confirmation ? counted.tables : undefined,
    isCounting: fetching,
    count: () => ask({ requestPolicy: 'network-only' }),
  };
}

function Rows({ tables, isCounting, count }: CountedRows) {
  if (isCounting)
    return <Text size="sm">Counting the rows… You don’t have to wait for the number.</Text>;
  if (tables !== undefined) return <Text size="sm">{summaryOf(tables)}</Text>;
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">Couldn’t count the rows. You can continue without the number.</Text>
      <Button size="xs" variant="default" onClick={count}>
        Try again
      </Button>
    </Stack>
  );
}

function AllIds({ footprint }: { readonly footprint: Footprint }) {
  const { userIds, anonymousIds, sharedAnonymousIds, otherContactIds } = footprint;
  return (
    <Text component="ul" size="sm" mt="xs" mb={0} pl="lg">
      <Ids label="User and contact IDs" ids={userIds} />
      <Ids label="Anonymous IDs" ids={anonymousIds.filter(id => !userIds.includes(id))} />
      <Ids label="Not included: devices shared with others" ids={sharedAnonymousIds} />
      <Ids label="Not included: other contacts in the same rows" ids={otherContactIds} />
    </Text>
  );
}

const LIST = new Intl.ListFormat('en');

function summaryOf(tables: Tables): string {
  const counted = tables.filter(({ before }) => before !== null && before > 0);
  const rows = counted.reduce((sum, { before }) => sum + (before ?? 0), 0);
  if (rows === 0) return 'No rows are stored.';
  const names = counted.map(({ table }) => rowsInWords(table).toLowerCase());
  const inTables = names.length === 1 ? '1 table' : `${inCount(names.length)} tables`;
  return `${rows === 1 ? '1 row is' : `${inCount(rows)} rows are`} stored, in ${inTables}: ${LIST.format(names)}.`;
}

function Ids({ label, ids }: { readonly label: string; readonly ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <li style={{ overflowWrap: 'anywhere' }}>
      {label}: <span className="mono">{ids.join(', ')}</span>
    </li>
  );
}
