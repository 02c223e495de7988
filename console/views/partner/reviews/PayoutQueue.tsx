import { Box } from '@mantine/core';
import { IconBuildingBank } from '@tabler/icons-react';
import { useRef, useState } from 'react';
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
import { PAYOUT_STATUS_OPTIONS } from '../payouts/PayoutState.tsx';
import { PayoutSteps } from './PayoutSteps.tsx';
import { Processing } from './Processing.tsx';
import { PAYOUT_COLUMNS } from './payout-columns.tsx';
import { PLATFORM_PAYOUTS, type PlatformPayout } from './payout-steps.ts';
import { queueTitle } from './queue-title.ts';
import { StatusSelect } from './StatusSelect.tsx';
import { useOnReturn } from './use-on-return.ts';

type Status = PlatformPayout['status'];

const CONTEXT = { additionalTypenames: ['Payout'] };

export function PayoutQueue() {
  const [status, setStatus] = useState<Status | null>('REQUESTED');
  const list = useRef<HTMLDivElement>(null);
  const title = queueTitle('Payouts', PAYOUT_STATUS_OPTIONS, status);
  const showProcessing = () => {
    setStatus('PROCESSING');
    // The pressed link goes away.
    list.current?.focus();
  };
  return (
    <Card
      title={title}
      isFlush
      actions={<StatusSelect options={PAYOUT_STATUS_OPTIONS} value={status} onChange={setStatus} />}
    >
      {status === 'REQUESTED' && <Processing onShow={showProcessing} />}
      <Box ref={list} tabIndex={-1} role="group" aria-label={title}>
        <Queue key={status} status={status} />
      </Box>
    </Card>
  );
}

/** A query keeps its rows while it loads those of another state, so each state has its own. */
function Queue({ status }: Pick<RowsProps, 'status'>) {
  const asked = useQuery({ query: PLATFORM_PAYOUTS, variables: { status }, context: CONTEXT });
  return (
    <Asked asked={asked} label="Loading payouts">
      {data => <Rows data={data} status={status} ask={asked[1]} />}
    </Asked>
  );
}

type RowsProps = {
  readonly data: ResultOf<typeof PLATFORM_PAYOUTS>;
  readonly status: Status | null;
  readonly ask: Ask;
};

function Rows({ data, status, ask }: RowsProps) {
  const { nodes, page, isLoading, showMore } = usePages(
    data.platformPayouts,
    PLATFORM_PAYOUTS,
    { status },
    of => of.platformPayouts,
  );
  const chosen = useChosen(
    nodes,
    ({ organizationName, net }) => `${organizationName}, ${net.amount}`,
  );
  const queue = useQueueKeys<HTMLDivElement>();
  const isPaged = nodes.length > data.platformPayouts.nodes.length;
  useOnReturn(ask, isPaged || chosen.rows.length > 0);
  return (
    <div ref={queue}>
      {nodes.length === 0 ? (
        <Empty
          title={status === 'REQUESTED' ? 'No payouts to approve' : 'No payouts in this state'}
          icon={IconBuildingBank}
        >
          {status === 'REQUESTED'
            ? 'Payouts that partners request appear here.'
            : 'Select another state.'}
        </Empty>
      ) : (
        <>
          <BulkBar count={chosen.rows.length}>
            <PayoutSteps rows={chosen.rows} onDone={chosen.clear} />
          </BulkBar>
          <Table
            label="Payouts"
            rows={nodes}
            keyOf={({ id }) => id}
            columns={[chosen.column, ...PAYOUT_COLUMNS, ACTIONS]}
          />
          <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
        </>
      )}
    </div>
  );
}

/** Of one payout, which nobody has to select. */
const ACTIONS: Column<PlatformPayout> = {
  title: 'Actions',
  isWide: true,
  cell: payout => <PayoutSteps rows={[payout]} isInRow onDone={() => {}} />,
};
