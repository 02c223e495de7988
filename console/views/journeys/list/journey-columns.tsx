import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { inCount } from '../../../pieces/in-words.ts';
import { State } from '../../../pieces/State.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { journeyPath } from '../journey-paths.ts';
import { STATUS_TONES } from '../journey-words.ts';
import { heldVersionsOf } from './held-versions.ts';
import type { JourneyRow } from './list-query.ts';

export const COLUMNS: readonly Column<JourneyRow>[] = [
  { title: 'Name', cell: row => <Name row={row} /> },
  {
    title: 'State',
    cell: ({ status }) => <State name={status} tone={STATUS_TONES[status]} />,
  },
  { title: 'People', isNumber: true, cell: ({ inFlightCount }) => inCount(inFlightCount) },
  { title: 'Pinned versions', isWide: true, cell: row => <Held row={row} /> },
  {
    title: 'Updated',
    isWide: true,
    cell: ({ updatedAt }) => <When at={updatedAt} isRelative />,
  },
];

function Name({ row: { id, name, entrySegment } }: { readonly row: JourneyRow }) {
  return (
    <Stack gap={2}>
      <Anchor component={Link} href={journeyPath(id)} fw={600} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Anchor>
      {entrySegment !== null && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Entry segment: {entrySegment.name}
        </Text>
      )}
    </Stack>
  );
}

/** Where nobody is in the journey, nobody holds a version. */
function Held({ row }: { readonly row: JourneyRow }) {
  const held = heldVersionsOf(row).filter(({ numbers }) => numbers.length > 0);
  if (held.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {row.inFlightCount === 0 ? 'None' : '–'}
      </Text>
    );
  return (
    <Stack gap={2}>
      {held.map(({ id, name, numbers }) => (
        <Text key={id} size="sm">
          {name}: {numbers.map(number => `v${number}`).join(', ')}
        </Text>
      ))}
    </Stack>
  );
}
