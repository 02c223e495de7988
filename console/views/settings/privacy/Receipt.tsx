import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { rowsInWords } from '../../../pieces/erased-rows.ts';
import { checkedUntil, FOLLOW_MS, isUnderWay } from '../../../pieces/erasure-progress.ts';
import { Facts } from '../../../pieces/Facts.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { useRepeat } from '../../../pieces/use-repeat.ts';
import { When } from '../../../pieces/When.tsx';
import { outcomeInWords, resultInWords, standingInWords } from './erasure-words.ts';
import { ERASURE, type ErasedTable, type Erasure } from './erasures-query.ts';
import { KeptTables } from './KeptTables.tsx';

/** What an erasure deleted and kept. Follows the erasure until the rows are deleted. */
export function Receipt({ erasureId }: { readonly erasureId: string }) {
  const [asked, again] = useQuery({ query: ERASURE, variables: { id: erasureId } });
  const node = asked.data?.node;
  const erasure = node?.__typename === 'PersonErasure' ? node : undefined;
  useRepeat(again, erasure && isUnderWay(erasure) ? FOLLOW_MS : undefined);
  return (
    <Asked asked={[asked, again]} label="Loading the receipt">
      {() =>
        erasure === undefined ? (
          <Empty title="Erasure not found">It may belong to another workspace.</Empty>
        ) : (
          <Shown erasure={erasure} />
        )
      }
    </Asked>
  );
}

type OfErasure = { readonly erasure: Erasure };

function Shown({ erasure }: OfErasure) {
  const { createdAt, erasedAt, completedAt, digest, tables } = erasure;
  return (
    <Stack>
      <Text size="sm" role="status">
        {standingInWords(erasure)}
      </Text>
      <Facts
        facts={[
          ['Requested', <When key="requested" at={createdAt} />],
          ['Deleted', <When key="deleted" at={erasedAt} never="Not yet" />],
          ['Rows', resultInWords(erasure)],
          completedAt === null
            ? ['Checks', checksOf(erasure)]
            : ['Completed', <When key="completed" at={completedAt} />],
          [
            'Hash of the IDs',
            <span key="digest" className="mono">
              {digest}
            </span>,
          ],
        ]}
      />
      <Rows erasure={erasure} />
      <KeptTables tables={tables.filter(({ outcome }) => outcome === 'KEPT')} />
    </Stack>
  );
}

/** When the next one is, and when the erasure is final. */
function checksOf(erasure: Erasure): ReactNode {
  const { lateDays, nextPassAt } = erasure;
  const at = checkedUntil(erasure);
  if (at !== undefined)
    return (
      <>
        {nextPassAt !== null && nextPassAt < at && (
          <>
            Next: <When at={nextPassAt} />.{' '}
          </>
        )}
        Last: <When at={at} />, if it finds no rows
      </>
    );
  const days = lateDays === 1 ? '1 day' : `${inCount(lateDays)} days`;
  return lateDays === 0
    ? 'Last: about 45 minutes after the deletion'
    : `Last: ${days} after the deletion`;
}

/** Tables without rows of the person are left out. */
function Rows({ erasure }: OfErasure) {
  const counted = erasure.tables.filter(({ outcome }) => outcome !== 'KEPT');
  const shown = counted.filter(
    ({ before, later, left }) => before !== 0 || later > 0 || (left ?? 0) > 0,
  );
  if (counted.length === 0) return <Text size="sm">The rows aren’t counted yet.</Text>;
  if (shown.length === 0) return <Text size="sm">No rows were found.</Text>;
  return (
    <Table
      label="Rows by table"
      rows={shown}
      keyOf={({ engine, table }) => `${engine} ${table}`}
      columns={columnsOf(erasure)}
    />
  );
}

function columnsOf(erasure: Erasure): readonly Column<ErasedTable>[] {
  return [
    {
      title: 'Data',
      cell: table => (
        <Stack gap={0}>
          <Text size="sm" fw={600}>
            {rowsInWords(table.table)}
          </Text>
          <Text size="xs" c="dimmed">
            {outcomeInWords(table, erasure)}
            {table.reason !== null && `: ${table.reason}`}
          </Text>
          <Text size="xs" c="dimmed" className="mono" style={{ overflowWrap: 'anywhere' }}>
            {table.table}
          </Text>
        </Stack>
      ),
    },
    { title: 'Rows before', isNumber: true, cell: ({ before }) => inKnownCount(before) },
    { title: 'Arrived later', isNumber: true, cell: ({ later }) => inCount(later) },
    { title: 'Left', isNumber: true, cell: ({ left }) => inKnownCount(left) },
  ];
}

function inKnownCount(count: number | null): string {
  return count === null ? '–' : inCount(count);
}
