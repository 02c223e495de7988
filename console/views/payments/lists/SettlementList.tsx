import { IconBuildingBank } from '@tabler/icons-react';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Money } from '../../../pieces/Money.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { GatewayState } from '../GatewayState.tsx';
import { PaymentsPage } from '../PaymentsPage.tsx';

const SETTLEMENTS = graphql(`
  query GatewaySettlements($after: String) {
    gatewaySettlements(first: 25, after: $after) {
      nodes {
        settlementId
        vendorId
        status
        amount { amount currencyCode }
        bankReference
        settledAt
        createdAt
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

type Settlement = ResultOf<typeof SETTLEMENTS>['gatewaySettlements']['nodes'][number];

export function SettlementList() {
  return (
    <PaymentsPage>
      <Card isFlush>
        <PagedTable
          label="Settlements"
          document={SETTLEMENTS}
          variables={{}}
          connectionOf={data => data.gatewaySettlements}
          typename="GatewaySettlement"
          keyOf={({ settlementId, vendorId }) => `${settlementId} ${vendorId}`}
          columns={COLUMNS}
          empty={
            <Empty title="No settlements yet" icon={IconBuildingBank}>
              What the payment gateway pays to your bank account and to vendors appears here, with
              the bank reference.
            </Empty>
          }
        />
      </Card>
    </PaymentsPage>
  );
}

const COLUMNS: readonly Column<Settlement>[] = [
  { title: 'Amount', cell: ({ amount }) => <Money of={amount} fw={600} /> },
  { title: 'State', cell: ({ status }) => <GatewayState name={status} /> },
  {
    title: 'To',
    cell: ({ vendorId }) => (vendorId === null ? 'You' : <span className="mono">{vendorId}</span>),
  },
  {
    title: 'Settlement',
    isWide: true,
    cell: ({ settlementId }) => <span className="mono">{settlementId}</span>,
  },
  {
    title: 'Bank reference',
    isWide: true,
    cell: ({ bankReference }) => <span className="mono">{bankReference ?? '–'}</span>,
  },
  {
    title: 'When',
    cell: ({ settledAt, createdAt }) => <When at={settledAt ?? createdAt} isDated />,
  },
];
