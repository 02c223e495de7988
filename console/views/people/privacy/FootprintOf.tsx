import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type UseQueryResponse, useQuery } from 'urql';
import { rowsInWords } from '../../../pieces/erased-rows.ts';
import { inCount } from '../../../pieces/in-words.ts';
import { Problem } from '../../../pieces/Problem.tsx';
import { FOOTPRINT, type Footprint, type FootprintData } from './footprint-query.ts';

type FootprintOfProps = {
  readonly userId: string;
  /** The action on the data. It is shown before the data is loaded, so that typing can begin at once. */
  readonly children: (footprint: Footprint | undefined) => ReactNode;
};

/** Finds the stored data of a person, which reads all tables and can take some seconds. */
export function FootprintOf({ userId, children }: FootprintOfProps) {
  const asked = useQuery({
    query: FOOTPRINT,
    variables: { userId },
    requestPolicy: 'network-only',
  });
  const footprint = asked[0].data?.personFootprint ?? undefined;
  return (
    <Stack>
      <Preview asked={asked} />
      {children(footprint)}
    </Stack>
  );
}

type PreviewProps = { readonly asked: UseQueryResponse<FootprintData> };

function Preview({ asked: [{ data, error, fetching }, ask] }: PreviewProps) {
  const footprint = data?.personFootprint;
  return (
    <div aria-live="polite" aria-busy={fetching}>
      {error && <Problem error={error} onRetry={() => ask({ requestPolicy: 'network-only' })} />}
      {footprint ? (
        <Found footprint={footprint} />
      ) : (
        fetching && <Text size="sm">Counting what is stored…</Text>
      )}
    </div>
  );
}

function Found({ footprint }: { readonly footprint: Footprint }) {
  const { userIds, anonymousIds, sharedAnonymousIds, otherContactIds } = footprint;
  return (
    <>
      <Text size="sm">{summaryOf(footprint)}</Text>
      <Text component="ul" size="sm" mt="xs" mb={0} pl="lg">
        <Ids label="User and contact IDs" ids={userIds} />
        <Ids label="Anonymous IDs" ids={anonymousIds.filter(id => !userIds.includes(id))} />
        <Ids label="Not included: devices shared with others" ids={sharedAnonymousIds} />
        <Ids label="Not included: other contacts in the same rows" ids={otherContactIds} />
      </Text>
    </>
  );
}

const LIST = new Intl.ListFormat('en');

function summaryOf({ tables }: Footprint): string {
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
