import { Anchor, Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { Card } from '../../../pieces/Card.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { AuditFilters } from './AuditFilters.tsx';
import { AUDIT, type Entry } from './audit-query.ts';
import { actionInWords, changesOf, nameOf } from './audit-words.ts';
import { EntryDetails } from './EntryDetails.tsx';
import { useAuditFilter } from './use-audit-filter.ts';

/** Who changed what in the organization and the workspace, newest first. */
export default function AuditLog() {
  const [opened, setOpened] = useState<Entry>();
  const { chosen, variables, choose } = useAuditFilter();
  const isFiltered = Object.keys(variables).length > 0;
  return (
    <Card title="Audit log" isFlush>
      <AuditFilters chosen={chosen} onChoose={choose} />
      <PagedTable
        label="Audit log"
        document={AUDIT}
        variables={variables}
        connectionOf={data => data.organization?.auditEntries}
        typename="AuditEntry"
        keyOf={({ id }) => id}
        columns={[actionColumn(setOpened), ...COLUMNS]}
        empty={
          <Empty title={isFiltered ? 'No results' : 'No changes yet'} icon={IconHistory}>
            {!isFiltered && 'Each change adds an entry with its author.'}
          </Empty>
        }
      />
      <Dialog
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        size="lg"
        title={opened && actionInWords(opened.action)}
      >
        {opened && <EntryDetails entry={opened} />}
      </Dialog>
    </Card>
  );
}

function actionColumn(onOpen: (entry: Entry) => void): Column<Entry> {
  return {
    title: 'Action',
    cell: entry => (
      <Stack gap={0} align="flex-start">
        <Anchor
          component="button"
          type="button"
          size="sm"
          fw={600}
          ta="start"
          underline="hover"
          onClick={() => onOpen(entry)}
        >
          {actionInWords(entry.action)}
        </Anchor>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {nameOf(entry)}
        </Text>
      </Stack>
    ),
  };
}

const CHANGES_SHOWN = 2;

const COLUMNS: readonly Column<Entry>[] = [
  {
    title: 'Changes',
    isWide: true,
    cell: entry => {
      const changes = changesOf(entry);
      return (
        <Stack gap={0} maw={360}>
          {changes.slice(0, CHANGES_SHOWN).map(({ name, before, after }) => (
            <Text key={name} size="xs" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
              <Text span inherit c="dimmed">
                {name}:
              </Text>{' '}
              {before === '' ? after : `${before} → ${after || 'empty'}`}
            </Text>
          ))}
          {changes.length > CHANGES_SHOWN && (
            <Text size="xs" c="dimmed">
              and {changes.length - CHANGES_SHOWN} more
            </Text>
          )}
        </Stack>
      );
    },
  },
  {
    title: 'Actor',
    isWide: true,
    cell: ({ actorId }) => (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {actorId}
      </Text>
    ),
  },
  { title: 'Time', cell: ({ createdAt }) => <When at={createdAt} isRelative /> },
];
