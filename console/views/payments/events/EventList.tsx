import { IconInbox } from '@tabler/icons-react';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import { PaymentsPage } from '../PaymentsPage.tsx';
import { EVENT_COLUMNS } from './event-columns.tsx';
import { EVENT_LIST } from './events-query.ts';
import { StateFilter, useEventState } from './StateFilter.tsx';

/** The gateway events of this workspace. */
export function EventList() {
  const [state, choose] = useEventState();
  return (
    <PaymentsPage>
      <Card
        isFlush
        title="Gateway events"
        actions={<StateFilter value={state} onChange={choose} />}
      >
        <PagedTable
          label="Events of the gateway"
          document={EVENT_LIST}
          variables={{ state: state ?? null }}
          connectionOf={data => data.gatewayEvents}
          typename="GatewayEvent"
          keyOf={event => event.id}
          columns={EVENT_COLUMNS}
          empty={
            state === undefined ? (
              <Empty title="No gateway events yet" icon={IconInbox}>
                In the payment gateway’s dashboard, enter the webhook address shown under “Account”.
              </Empty>
            ) : (
              <Empty title="None of these" icon={IconInbox} />
            )
          }
        />
      </Card>
    </PaymentsPage>
  );
}
