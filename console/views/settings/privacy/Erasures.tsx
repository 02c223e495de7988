import { Anchor, Button, Text } from '@mantine/core';
import { IconUserOff } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Link, useSearchParams } from 'wouter';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { FOLLOW_MS, isUnderWay } from '../../../pieces/erasure-progress.ts';
import { MoreButton } from '../../../pieces/MoreButton.tsx';
import { Problem } from '../../../pieces/Problem.tsx';
import { State, type Tone } from '../../../pieces/State.tsx';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { usePages } from '../../../pieces/use-pages.ts';
import { useRepeat } from '../../../pieces/use-repeat.ts';
import { When } from '../../../pieces/When.tsx';
import { resultInWords } from './erasure-words.ts';
import { ERASURES, type Erasure, type ErasurePage, OF_ERASURES } from './erasures-query.ts';
import { Receipt } from './Receipt.tsx';

/** The erasures of people, newest first. Who was erased is not stored. */
export function Erasures() {
  const [openedId, setOpenedId] = useOpened();
  const [asked, again] = useQuery({ query: ERASURES, variables: {}, context: OF_ERASURES });
  const isFollowing = asked.data?.personErasures.nodes.some(isUnderWay);
  useRepeat(again, isFollowing ? FOLLOW_MS : undefined);
  return (
    <Card title="Erasures" isFlush>
      <Asked asked={[asked, again]} label="Loading erasures">
        {data => <ErasureList first={data.personErasures} onOpen={setOpenedId} />}
      </Asked>
      <Dialog
        opened={openedId !== null}
        onClose={() => setOpenedId(null)}
        size="lg"
        title="Receipt of the erasure"
      >
        {openedId !== null && <Receipt erasureId={openedId} />}
      </Dialog>
    </Card>
  );
}

/** The erasure whose receipt is open is in the address, so that the page of the person leads to it. */
function useOpened(): [string | null, (id: string | null) => void] {
  const [params, setParams] = useSearchParams();
  const open = (id: string | null) =>
    setParams(id === null ? {} : { erasure: id }, { replace: true });
  return [params.get('erasure'), open];
}

type ErasureListProps = {
  readonly first: ErasurePage;
  readonly onOpen: (erasureId: string) => void;
};

function ErasureList({ first, onOpen }: ErasureListProps) {
  const pages = usePages(first, ERASURES, {}, of => of.personErasures);
  const { nodes, page, isLoading, error, showMore } = pages;
  if (nodes.length === 0)
    return (
      <Empty title="No erasures yet" icon={IconUserOff}>
        To erase a person, open their page under{' '}
        <Anchor component={Link} href="/people" inherit>
          People
        </Anchor>
        .
      </Empty>
    );
  const columns = [...COLUMNS, receiptColumn(onOpen)];
  return (
    <>
      <Table label="Erasures" rows={nodes} keyOf={({ id }) => id} columns={columns} />
      {error && <Problem error={error} />}
      <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
    </>
  );
}

const STATES: Record<Erasure['state'], { readonly label: string; readonly tone: Tone }> = {
  QUEUED: { label: 'Queued', tone: 'waiting' },
  RUNNING: { label: 'Deleting', tone: 'waiting' },
  SETTLING: { label: 'Deleted', tone: 'info' },
  WATCHING: { label: 'Deleted', tone: 'good' },
  COMPLETED: { label: 'Completed', tone: 'good' },
};

const COLUMNS: readonly Column<Erasure>[] = [
  { title: 'Requested', cell: ({ createdAt }) => <When at={createdAt} isRelative /> },
  {
    title: 'State',
    cell: ({ state }) => <State name={state} {...STATES[state]} />,
  },
  {
    title: 'Requested by',
    isWide: true,
    cell: ({ actorId }) => (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {actorId}
      </Text>
    ),
  },
  { title: 'Rows', isWide: true, cell: resultInWords },
  {
    title: 'Next check',
    isWide: true,
    cell: erasure => <When at={isUnderWay(erasure) ? null : erasure.nextPassAt} isRelative />,
  },
];

function receiptColumn(onOpen: (erasureId: string) => void): Column<Erasure> {
  return {
    title: 'Receipt',
    cell: ({ id, createdAt }) => (
      <Button
        size="xs"
        variant="default"
        aria-label={`Open the receipt of the erasure of ${createdAt}`}
        onClick={() => onOpen(id)}
      >
        Open
      </Button>
    ),
  };
}
