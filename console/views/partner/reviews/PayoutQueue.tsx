import { Box } from '@mantine/core';
import { IconBuildingBank } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { PAYOUT_STATUS_OPTIONS } from '../payouts/PayoutState.tsx';
import { PayoutSteps } from './PayoutSteps.tsx';
import { Processing } from './Processing.tsx';
import { PAYOUT_COLUMNS } from './payout-columns.tsx';
import { PLATFORM_PAYOUTS, type PlatformPayout } from './payout-steps.ts';
import { Queue } from './Queue.tsx';
import { queueTitle } from './queue-title.ts';
import { StatusSelect } from './StatusSelect.tsx';

type Status = PlatformPayout['status'];

type PayoutQueueProps = { readonly next: ReactNode };

export function PayoutQueue({ next }: PayoutQueueProps) {
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
      <Box ref={list} className="fills-card" tabIndex={-1} role="group" aria-label={title}>
        <Queue
          // A query keeps its rows while it loads those of another state.
          key={status}
          label="Payouts"
          document={PLATFORM_PAYOUTS}
          variables={{ status }}
          connectionOf={data => data.platformPayouts}
          typename="Payout"
          columns={COLUMNS}
          bulk={BULK}
          empty={
            status === 'REQUESTED' ? (
              <Empty title="No payouts to approve" icon={IconBuildingBank}>
                Payouts that partners request appear here.
                {next}
              </Empty>
            ) : (
              <Empty title="No payouts in this state" icon={IconBuildingBank}>
                Select another state.
              </Empty>
            )
          }
        />
      </Box>
    </Card>
  );
}

const BULK = {
  nameOf: ({ organizationName, net }: PlatformPayout) => `${organizationName}, ${net.amount}`,
  Actions: PayoutSteps,
};

/** Of one payout, which nobody has to select. */
const ACTIONS: Column<PlatformPayout> = {
  title: 'Actions',
  isWide: true,
  cell: payout => <PayoutSteps rows={[payout]} isInRow onDone={() => {}} />,
};

const COLUMNS = [...PAYOUT_COLUMNS, ACTIONS];
