import { Anchor, Stack, Text } from '@mantine/core';
import { IconGavel } from '@tabler/icons-react';
import { Link } from 'wouter';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { GatewayState } from '../GatewayState.tsx';
import { PaymentsPage } from '../PaymentsPage.tsx';
import { PAYMENTS } from '../payment-paths.ts';

const DISPUTES = graphql(`
  query GatewayDisputes($after: String) {
    gatewayDisputes(first: 25, after: $after) {
      nodes {
        disputeId
        type
        status
        amount { amount currencyCode }
        reason
        cfPaymentId
        respondBy
        createdAt
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

type Dispute = ResultOf<typeof DISPUTES>['gatewayDisputes']['nodes'][number];

export function DisputeList() {
  return (
    <PaymentsPage>
      <Card isFlush>
        <PagedTable
          label="Disputes"
          document={DISPUTES}
          variables={{}}
          connectionOf={data => data.gatewayDisputes}
          typename="GatewayDispute"
          keyOf={dispute => dispute.disputeId}
          columns={COLUMNS}
          empty={
            <Empty title="Nobody disputes a payment" icon={IconGavel}>
              When a payer’s bank asks one back, it is here, with the day until which you may
              answer.
            </Empty>
          }
        />
      </Card>
    </PaymentsPage>
  );
}

const COLUMNS: readonly Column<Dispute>[] = [
  { title: 'Amount', cell: ({ amount }) => <Money of={amount} fw={600} /> },
  {
    title: 'State',
    cell: ({ type, status }) => (
      <Stack gap={2} align="flex-start">
        <GatewayState name={status} />
        <Text size="xs" c="dimmed">
          {inPlainWords(type)}
        </Text>
      </Stack>
    ),
  },
  { title: 'Why', isWide: true, cell: ({ reason }) => reason ?? '–' },
  {
    title: 'Payment',
    cell: ({ cfPaymentId }) =>
      cfPaymentId === null ? (
        '–'
      ) : (
        <Anchor
          component={Link}
          href={PAYMENTS.payment(cfPaymentId)}
          underline="hover"
          className="mono"
        >
          {cfPaymentId}
        </Anchor>
      ),
  },
  { title: 'Answer until', cell: ({ respondBy }) => <When at={respondBy} isDated /> },
  {
    title: 'Known since',
    isWide: true,
    cell: ({ createdAt }) => <When at={createdAt} isRelative />,
  },
];
