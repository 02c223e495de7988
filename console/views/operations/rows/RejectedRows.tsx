import { Anchor, Group, Stack, Text } from '@mantine/core';
import { IconTableOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import type { ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { BulkBar } from '../../../pieces/BulkBar.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { CodeBlock } from '../../../pieces/CodeBlock.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { inJson } from '../../../pieces/JsonField.tsx';
import { MoreButton } from '../../../pieces/MoreButton.tsx';
import { Problem } from '../../../pieces/Problem.tsx';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { useChosen } from '../../../pieces/use-chosen.tsx';
import { usePages } from '../../../pieces/use-pages.ts';
import { useQueueKeys } from '../../../pieces/use-queue-keys.ts';
import { When } from '../../../pieces/When.tsx';
import { RowActions } from './RowActions.tsx';
import { REJECTED_ROWS, type RejectedRow } from './rows-query.ts';

const CONTEXT = { additionalTypenames: ['OutboxRow'] };
const VARIABLES = {};

/** Rows for the warehouse that ingest rejects: they are not in the reports until they are sent again. */
export default function RejectedRows() {
  const asked = useQuery({ query: REJECTED_ROWS, variables: VARIABLES, context: CONTEXT });
  return (
    <Card title="Rejected warehouse rows" isFlush>
      <Asked asked={asked} label="Loading rejected rows">
        {data => <Rows data={data} />}
      </Asked>
    </Card>
  );
}

function Rows({ data }: { readonly data: ResultOf<typeof REJECTED_ROWS> }) {
  const [opened, setOpened] = useState<RejectedRow>();
  const pages = usePages(
    data.refusedOutboxRows,
    REJECTED_ROWS,
    VARIABLES,
    of => of.refusedOutboxRows,
  );
  const { nodes, page, isLoading, error, showMore } = pages;
  const chosen = useChosen(nodes, ({ table, reason }) => `${table}: ${reason ?? 'rejected'}`);
  const queue = useQueueKeys<HTMLDivElement>();
  if (nodes.length === 0)
    return (
      <Empty title="No rejected rows" icon={IconTableOff}>
        Rows that the API writes to the warehouse appear here if ingest rejects them permanently.
      </Empty>
    );
  return (
    <div ref={queue}>
      <BulkBar count={chosen.rows.length}>
        <RowActions ids={chosen.rows.map(({ id }) => id)} onDone={chosen.clear} />
      </BulkBar>
      <Table
        label="Rejected rows"
        rows={nodes}
        keyOf={({ id }) => id}
        columns={[chosen.column, ...columns(setOpened)]}
      />
      {error && <Problem error={error} />}
      <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
      <OpenedRow row={opened} onClose={() => setOpened(undefined)} />
    </div>
  );
}

function columns(onOpen: (row: RejectedRow) => void): readonly Column<RejectedRow>[] {
  return [
    {
      title: 'Table',
      cell: row => (
        <Stack gap={0} align="flex-start">
          <Anchor
            component="button"
            type="button"
            size="sm"
            fw={600}
            ta="left"
            style={{ overflowWrap: 'anywhere' }}
            onClick={() => onOpen(row)}
          >
            {row.table}
          </Anchor>
          <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
            {row.reason}
          </Text>
        </Stack>
      ),
    },
    {
      title: 'Attempts',
      isNumber: true,
      isWide: true,
      cell: ({ attempts }) => inCount(attempts),
    },
    { title: 'Created', isWide: true, cell: ({ createdAt }) => <When at={createdAt} isRelative /> },
    { title: 'Rejected', cell: ({ failedAt }) => <When at={failedAt} isRelative /> },
  ];
}

type OpenedRowProps = { readonly row: RejectedRow | undefined; readonly onClose: () => void };

/** The values of a row, next to the reason. */
function OpenedRow({ row, onClose }: OpenedRowProps) {
  return (
    <Dialog opened={row !== undefined} onClose={onClose} size="lg" title={row?.table}>
      {row && (
        <Stack>
          <Facts
            facts={[
              ['Reason', row.reason],
              ['Rejected', row.failedAt && <When at={row.failedAt} />],
              ['Created', <When key="created" at={row.createdAt} />],
              ['Attempts', inCount(row.attempts)],
              [
                'Workspace ID',
                <span key="workspace" className="mono">
                  {row.workspaceId}
                </span>,
              ],
            ]}
          />
          <CodeBlock label="Values" code={inJson(row.row)} />
          <Group>
            <RowActions ids={[row.id]} onDone={onClose} />
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}
