import { Button } from '@mantine/core';
import { IconMoodHappy, IconRefresh } from '@tabler/icons-react';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { PaymentsPage } from '../PaymentsPage.tsx';
import { EVENT_COLUMNS } from './event-columns.tsx';
import { EVENT_STATES, REPLAYABLE } from './event-states.ts';
import { EVERYBODYS_EVENTS, type ListedEvent } from './events-query.ts';
import { StateFilter, useEventState } from './StateFilter.tsx';
import { useReplay } from './use-replay.ts';

/** The gateway events of all workspaces that need a platform admin. */
export default function EverybodysEvents() {
  const [chosen, choose] = useEventState();
  const state = chosen ?? 'PARKED';
  if (!useMay('PLATFORM_ADMIN'))
    return (
      <PaymentsPage>
        <Card>
          <Empty title="This is for admins of the platform" />
        </Card>
      </PaymentsPage>
    );
  return (
    <PaymentsPage>
      <Card
        isFlush
        title="Everybody’s events"
        actions={<StateFilter value={state} onChange={choose} isNeeded />}
      >
        <PagedTable
          label="Everybody’s events"
          document={EVERYBODYS_EVENTS}
          variables={{ state }}
          connectionOf={data => data.platformGatewayEvents}
          typename="GatewayEvent"
          keyOf={event => event.id}
          columns={REPLAYABLE.has(state) ? [...EVENT_COLUMNS, AGAIN] : EVENT_COLUMNS}
          empty={
            <Empty
              title={`None is “${EVENT_STATES[state].label.toLowerCase()}”`}
              icon={IconMoodHappy}
            >
              {EVENT_STATES[state].about}
            </Empty>
          }
        />
      </Card>
    </PaymentsPage>
  );
}

const AGAIN: Column<ListedEvent> = {
  title: 'Again',
  cell: event => <AgainButton event={event} />,
};

function AgainButton({ event }: { readonly event: ListedEvent }) {
  const { replay, isRunning } = useReplay(event);
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconRefresh size={15} />}
      loading={isRunning}
      aria-label={`Try ${event.type} again`}
      onClick={replay}
    >
      Try again
    </Button>
  );
}
