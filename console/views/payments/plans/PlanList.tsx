import { Stack, Text } from '@mantine/core';
import { IconCalendarRepeat } from '@tabler/icons-react';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { NewThing } from '../NewThing.tsx';
import { PaymentsPage } from '../PaymentsPage.tsx';
import { StateWithReason } from '../StateWithReason.tsx';
import { inInterval } from './in-interval.ts';
import { PlanForm } from './PlanForm.tsx';
import { type ListedPlan, PLAN_LIST } from './plans-query.ts';

export default function PlanList() {
  return (
    <PaymentsPage actions={<NewThing noun="plan" form={done => <PlanForm onCreated={done} />} />}>
      <Card isFlush>
        <PagedTable
          label="Plans"
          document={PLAN_LIST}
          variables={{}}
          connectionOf={data => data.gatewayPlans}
          typename="GatewayPlan"
          keyOf={plan => plan.id}
          columns={COLUMNS}
          empty={
            <Empty title="No plan yet" icon={IconCalendarRepeat}>
              A plan defines how much its subscriptions are charged, and how often.
            </Empty>
          }
        />
      </Card>
    </PaymentsPage>
  );
}

const COLUMNS: readonly Column<ListedPlan>[] = [
  {
    title: 'Name',
    cell: ({ name }) => (
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
    ),
  },
  { title: 'State', cell: plan => <StateWithReason of={plan} /> },
  { title: 'Amount', isNumber: true, cell: plan => <Charge plan={plan} /> },
  {
    title: 'Maximum',
    isNumber: true,
    isWide: true,
    cell: ({ maxAmount }) => <Money of={maxAmount} />,
  },
  {
    title: 'Charges',
    isNumber: true,
    isWide: true,
    cell: ({ maxCycles }) => (maxCycles === null ? 'Unlimited' : inCount(maxCycles)),
  },
  { title: 'Created', cell: ({ createdAt }) => <When at={createdAt} isRelative /> },
];

function Charge({ plan }: { readonly plan: ListedPlan }) {
  const { recurringAmount, maxAmount } = plan;
  return (
    <Stack gap={0} align="flex-end">
      {recurringAmount === null ? (
        <span>
          Up to <Money of={maxAmount} fw={600} />
        </span>
      ) : (
        <Money of={recurringAmount} fw={600} />
      )}
      <Text size="xs" c="dimmed">
        {inInterval(plan)}
      </Text>
    </Stack>
  );
}
