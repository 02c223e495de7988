import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlus, IconServer } from '@tabler/icons-react';
import { useState } from 'react';
import { Card } from '../../../pieces/Card.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inBytes, inCount } from '../../../pieces/in-words.ts';
import { Late } from '../../../pieces/Late.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import { State } from '../../../pieces/State.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { type IngestNodes, useIngestNodes } from '../../../pieces/use-ingest-nodes.ts';
import { backlogOf } from './backlog.ts';
import { CellLimit } from './CellLimit.tsx';
import { CellMenu } from './CellMenu.tsx';
import { CELLS, type Cell } from './cells-query.ts';
import { NewCell } from './NewCell.tsx';

const VARIABLES = {};

/** The warehouses: which accept events, and how late their reports are. */
export default function Cells() {
  const [isNew, setIsNew] = useState(false);
  const [limited, setLimited] = useState<Cell>();
  const [{ data }] = useIngestNodes();
  const nodes = data?.ingestNodes;
  const create = (
    <Button variant="default" leftSection={<IconPlus size={17} />} onClick={() => setIsNew(true)}>
      New cell
    </Button>
  );
  const actions: Column<Cell> = {
    title: 'Actions',
    cell: cell => <CellMenu cell={cell} onLimit={() => setLimited(cell)} />,
  };
  return (
    <Stack gap="lg">
      {nodes && <Silent nodes={nodes} />}
      <Card title="Cells" isFlush actions={create}>
        <PagedTable
          label="Cells"
          document={CELLS}
          variables={VARIABLES}
          connectionOf={of => of.cells}
          typename="Cell"
          keyOf={({ id }) => id}
          columns={[...columnsWith(nodes), actions]}
          empty={
            <Empty title="No cells yet" icon={IconServer}>
              A cell is the warehouse of a region. Workspaces need one.
            </Empty>
          }
        />
      </Card>
      <Dialog opened={isNew} onClose={() => setIsNew(false)} title="New cell">
        <NewCell onDone={() => setIsNew(false)} />
      </Dialog>
      <Dialog
        opened={limited !== undefined}
        onClose={() => setLimited(undefined)}
        title={`Default limit of ${limited?.slug}`}
      >
        {limited && <CellLimit cell={limited} onDone={() => setLimited(undefined)} />}
      </Dialog>
    </Stack>
  );
}

/** Nodes that don’t answer, since their lag is unknown. */
function Silent({ nodes }: { readonly nodes: IngestNodes }) {
  if (nodes.length === 0)
    return (
      <Alert variant="outline" title="Lag unknown" icon={<IconAlertTriangle />}>
        No ingest node is configured for the API.
      </Alert>
    );
  const silent = nodes.filter(({ isAnswering }) => !isAnswering).map(({ number }) => number);
  if (silent.length === 0) return null;
  return (
    <Alert
      variant="outline"
      color="red"
      role="alert"
      icon={<IconAlertTriangle />}
      title={
        silent.length === 1
          ? `Ingest node ${silent[0]} is not responding`
          : `Ingest nodes ${silent.join(', ')} are not responding`
      }
    >
      {silent.length} of {nodes.length} nodes. The lag of the cells is unknown until they respond.
    </Alert>
  );
}

function columnsWith(nodes: IngestNodes | undefined): readonly Column<Cell>[] {
  return [
    {
      title: 'Cell',
      cell: ({ slug, region }) => (
        <Stack gap={0}>
          <Text size="sm" fw={600}>
            {slug}
          </Text>
          <Text size="xs" c="dimmed">
            {region}
          </Text>
        </Stack>
      ),
    },
    {
      title: 'State',
      cell: ({ isEnabled }) =>
        isEnabled ? <State name="enabled" tone="good" /> : <State name="disabled" tone="bad" />,
    },
    { title: 'Lag', cell: ({ slug }) => <Lag slug={slug} nodes={nodes} /> },
    {
      title: 'Workspaces',
      isNumber: true,
      isWide: true,
      cell: ({ workspaceCount }) => (workspaceCount === null ? 'Unknown' : inCount(workspaceCount)),
    },
    {
      title: 'Default limit per minute',
      isNumber: true,
      isWide: true,
      cell: ({ ingressEventsPerMinute: limit }) => (limit === null ? 'None' : inCount(limit)),
    },
  ];
}

type LagProps = { readonly slug: string; readonly nodes: IngestNodes | undefined };

function Lag({ slug, nodes }: LagProps) {
  const { seconds, bytes } = backlogOf(slug, nodes);
  return (
    <Stack gap={0} align="flex-start">
      <Late seconds={seconds} />
      {bytes !== undefined && bytes > 0 && (
        <Text size="xs" c="dimmed">
          {inBytes(bytes)} on disk
        </Text>
      )}
    </Stack>
  );
}
