import { Stack, Text } from '@mantine/core';
import { Facts } from '../../../pieces/Facts.tsx';
import { inCount, inPlainWords } from '../../../pieces/in-words.ts';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import type { Erasure } from './erasures-query.ts';

type ErasedTable = Erasure['tables'][number];

/** What an erasure deleted and kept, by table; tables without rows are left out. */
export function Receipt({ erasure }: { readonly erasure: Erasure }) {
  const { createdAt, erasedAt, completedAt, digest, lateDays, tables } = erasure;
  const shown = tables.filter(({ before, later, left }) => before !== 0 || later > 0 || left !== 0);
  return (
    <Stack>
      <Facts
        facts={[
          ['Requested', <When key="requested" at={createdAt} />],
          ['Deleted', <When key="deleted" at={erasedAt} never="Not yet" />],
          ['Late data', `deleted for ${inCount(lateDays)} days`],
          ['Completed', <When key="completed" at={completedAt} never="Not yet" />],
          [
            'Hash of the IDs',
            <span key="digest" className="mono">
              {digest}
            </span>,
          ],
        ]}
      />
      {shown.length === 0 ? (
        <Text size="sm">No rows were found.</Text>
      ) : (
        <Table
          label="Rows by table"
          rows={shown}
          keyOf={({ engine, table }) => `${engine} ${table}`}
          columns={COLUMNS}
        />
      )}
    </Stack>
  );
}

const COLUMNS: readonly Column<ErasedTable>[] = [
  {
    title: 'Table',
    cell: ({ table, outcome, reason }) => (
      <Stack gap={0}>
        <Text size="sm" fw={600}>
          {table}
        </Text>
        <Text size="xs" c="dimmed">
          {inPlainWords(outcome)}
          {reason !== null && `: ${reason}`}
        </Text>
      </Stack>
    ),
  },
  { title: 'Before', isNumber: true, cell: ({ before }) => inKnownCount(before) },
  { title: 'Later', isNumber: true, cell: ({ later }) => inCount(later) },
  { title: 'Left', isNumber: true, cell: ({ left }) => inKnownCount(left) },
];

function inKnownCount(count: number | null): string {
  return count === null ? '–' : inCount(count);
}
