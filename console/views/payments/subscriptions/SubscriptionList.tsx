import { Anchor } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { inMethod } from '../in-method.ts';
import { PaymentsPage } from '../PaymentsPage.tsx';
import { PAYMENTS } from '../payment-paths.ts';
import { StateWithReason } from '../StateWithReason.tsx';
import { NewSubscription } from './NewSubscription.tsx';
import { type ListedSubscription, SUBSCRIPTION_LIST } from './subscriptions-query.ts';

export default function SubscriptionList() {
  return (
    <PaymentsPage actions={<NewSubscription />}>
      <Card isFlush>
        <PagedTable
          label="Subscriptions"
          document={SUBSCRIPTION_LIST}
          variables={{}}
          connectionOf={data => data.gatewaySubscriptions}
          typename="GatewaySubscription"
          keyOf={subscription => subscription.id}
          columns={COLUMNS}
          empty={
            <Empty title="No subscription yet" icon={IconRepeat}>
              Your shop creates subscriptions through the API. Owners can also create them here.
              Customers are charged once they have authorized the mandate.
            </Empty>
          }
        />
      </Card>
    </PaymentsPage>
  );
}

const COLUMNS: readonly Column<ListedSubscription>[] = [
  {
    title: 'Subscription',
    cell: ({ id, subscriptionId }) => (
      <Anchor
        component={Link}
        href={PAYMENTS.subscription(id)}
        underline="hover"
        fw={600}
        className="mono"
        style={{ overflowWrap: 'anywhere' }}
      >
        {subscriptionId}
      </Anchor>
    ),
  },
  { title: 'State', cell: subscription => <StateWithReason of={subscription} /> },
  {
    title: 'Method',
    isWide: true,
    cell: ({ method }) => inMethod(method) ?? '–',
  },
  {
    title: 'Charged next',
    isWide: true,
    cell: ({ nextChargeAt }) => <When at={nextChargeAt} />,
  },
  { title: 'Made', cell: ({ createdAt }) => <When at={createdAt} isRelative /> },
];
