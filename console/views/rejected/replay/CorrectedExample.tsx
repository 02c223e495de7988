import { Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { inCount } from '../../../pieces/in-words.ts';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { type ChangedField, changedFields } from './changed-fields.ts';
import type { DryRun } from './replay-query.ts';

/** More would hide the rest of the result. */
const FIELDS_SHOWN = 10;

type CorrectedExampleProps = { readonly example: NonNullable<DryRun['example']> };

/** The fields of one event that the corrections change. */
export function CorrectedExample({ example: { before, after } }: CorrectedExampleProps) {
  const fields = useMemo(() => changedFields(before, after), [before, after]);
  const hidden = fields.length - FIELDS_SHOWN;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        The first corrected event
      </Text>
      <Table
        label="The first corrected event"
        rows={fields.slice(0, FIELDS_SHOWN)}
        keyOf={({ path }) => path}
        columns={COLUMNS}
      />
      {hidden > 0 && (
        <Text size="sm" c="dimmed">
          {hidden === 1
            ? '1 more field is changed.'
            : `${inCount(hidden)} more fields are changed.`}
        </Text>
      )}
    </Stack>
  );
}

type ValueProps = { readonly text: string | undefined; readonly none: string };

function Value({ text, none }: ValueProps) {
  if (text === undefined)
    return (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    );
  return (
    <Text size="sm" className="mono" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  );
}

const COLUMNS: readonly Column<ChangedField>[] = [
  { title: 'Field', cell: ({ path }) => <Value text={path} none="" /> },
  { title: 'As sent', cell: ({ before }) => <Value text={before} none="Missing" /> },
  { title: 'Corrected', cell: ({ after }) => <Value text={after} none="Removed" /> },
];
