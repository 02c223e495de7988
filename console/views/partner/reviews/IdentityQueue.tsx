import { Group, Text } from '@mantine/core';
import { IconIdBadge2 } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import type { ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { BulkBar } from '../../../pieces/BulkBar.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { MoreButton } from '../../../pieces/MoreButton.tsx';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { useChosen } from '../../../pieces/use-chosen.tsx';
import { usePages } from '../../../pieces/use-pages.ts';
import { useQueueKeys } from '../../../pieces/use-queue-keys.ts';
import type { Ask } from '../../../pieces/use-repeat.ts';
import { IdentityVerdicts } from './IdentityVerdicts.tsx';
import { IDENTITIES, type Submission } from './identities-query.ts';
import { IDENTITY_COLUMNS, IDENTITY_STATUS_OPTIONS } from './identity-columns.tsx';
import { queueTitle } from './queue-title.ts';
import { StatusSelect } from './StatusSelect.tsx';
import { useOnReturn } from './use-on-return.ts';

type Status = Submission['status'];

const CONTEXT = { additionalTypenames: ['KycSubmission'] };

export function IdentityQueue() {
  const [status, setStatus] = useState<Status | null>('KYC_PENDING');
  return (
    <Card
      title={queueTitle('Identity submissions', IDENTITY_STATUS_OPTIONS, status)}
      isFlush
      actions={
        <StatusSelect options={IDENTITY_STATUS_OPTIONS} value={status} onChange={setStatus} />
      }
    >
      <Text size="sm" c="dimmed" px="lg" pb="sm">
        A submission has a name, a PAN and a bank account, all shown here, and no documents. Numbers
        are masked. Below each name you see whether another organization submitted the same numbers.
      </Text>
      <Queue key={status} status={status} />
    </Card>
  );
}

/** A query keeps its rows while it loads those of another state, so each state has its own. */
function Queue({ status }: Pick<RowsProps, 'status'>) {
  const asked = useQuery({ query: IDENTITIES, variables: { status }, context: CONTEXT });
  return (
    <Asked asked={asked} label="Loading submissions">
      {data => <Rows data={data} status={status} ask={asked[1]} />}
    </Asked>
  );
}

type RowsProps = {
  readonly data: ResultOf<typeof IDENTITIES>;
  readonly status: Status | null;
  readonly ask: Ask;
};

function Rows({ data, status, ask }: RowsProps) {
  const { nodes, page, isLoading, showMore } = usePages(
    data.kycSubmissions,
    IDENTITIES,
    { status },
    of => of.kycSubmissions,
  );
  const chosen = useChosen(nodes, ({ fullName }) => fullName);
  const queue = useQueueKeys<HTMLDivElement>();
  const isPaged = nodes.length > data.kycSubmissions.nodes.length;
  useOnReturn(ask, isPaged || chosen.rows.length > 0);
  return (
    <div ref={queue}>
      {nodes.length === 0 ? (
        <Empty
          title={
            status === 'KYC_PENDING' ? 'No submissions to review' : 'No submissions in this state'
          }
          icon={IconIdBadge2}
        >
          {status === 'KYC_PENDING'
            ? 'Submissions from partners appear here for review.'
            : 'Select another state.'}
        </Empty>
      ) : (
        <>
          <BulkBar count={chosen.rows.length}>
            <IdentityVerdicts rows={chosen.rows} onDone={chosen.clear} />
          </BulkBar>
          <Table
            label="Submissions"
            rows={nodes}
            keyOf={({ id }) => id}
            columns={[chosen.column, ...IDENTITY_COLUMNS, ACTIONS]}
          />
          <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
        </>
      )}
    </div>
  );
}

/** Of one submission, which nobody has to select. */
const ACTIONS: Column<Submission> = {
  title: 'Actions',
  isWide: true,
  cell: submission =>
    submission.status === 'KYC_PENDING' && (
      <Group gap={4}>
        <IdentityVerdicts rows={[submission]} isInRow onDone={() => {}} />
      </Group>
    ),
};
