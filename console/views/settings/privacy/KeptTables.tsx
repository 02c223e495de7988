import { Stack, Text, Title } from '@mantine/core';
import { rowsInWords } from '../../../pieces/erased-rows.ts';
import type { ErasedTable } from './erasures-query.ts';

type KeptTablesProps = { readonly tables: readonly ErasedTable[] };

/** The data that an erasure does not search, by the reason why it is kept. */
export function KeptTables({ tables }: KeptTablesProps) {
  if (tables.length === 0) return null;
  const reasons = [...new Set(tables.map(({ reason }) => reason))];
  return (
    <Stack gap="xs">
      <Title order={3} size="h6">
        Kept
      </Title>
      <Text size="sm">
        An erasure doesn’t search this data. If it contains something about this person, that is
        kept.
      </Text>
      {reasons.map(reason => (
        <Stack key={reason} gap={0}>
          <Text size="sm" fw={600}>
            {listed(tables.filter(table => table.reason === reason))}
          </Text>
          <Text size="xs" c="dimmed">
            {reason}
          </Text>
        </Stack>
      ))}
    </Stack>
  );
}

function listed(tables: readonly ErasedTable[]): string {
  const [first = '', ...others] = tables.map(({ table }) => rowsInWords(table));
  return [first, ...others.map(one => one.charAt(0).toLowerCase() + one.slice(1))].join(', ');
}
