import { Anchor, Stack, Text } from '@mantine/core';
import { IconGavel } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { Card } from '../../../pieces/Card.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { GatewayState } from '../GatewayState.tsx';
import { PaymentsPage } from '../PaymentsPage.tsx';
import { PAYMENTS } from '../payment-paths.ts';
import { DisputeDetails } from './DisputeDetails.tsx';
import { DISPUTES, type Dispute, isClosed } from './disputes-query.ts';

export function DisputeList() {
  const [opened, setOpened] = useState<Dispute>();
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
          columns={[amountColumn(setOpened), ...COLUMNS]}
          empty={
            <Empty title="Nobody disputes a payment" icon={IconGavel}>
              When a payer’s bank asks for its money back, it is here, with the deadline and where
              to respond.
            </Empty>
          }
        />
      </Card>
      <Dialog
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        title={opened && `Dispute ${opened.disputeId}`}
      >
        {opened && <DisputeDetails dispute={opened} />}
      </Dialog>
    </PaymentsPage>
  );
}

function amountColumn(onOpen: (dispute: Dispute) => void): Column<Dispute> {
  return {
    title: 'Amount',
    cell: dispute => (
      <Anchor
        component="button"
        type="button"
        size="sm"
        fw={600}
        ta="start"
        underline="hover"
        onClick={() => onOpen(dispute)}
      >
        {dispute.amount === null ? 'Not known' : <Money of={dispute.amount} />}
      </Anchor>
    ),
  };
}

const COLUMNS: readonly Column<Dispute>[] = [
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
    isWide: true,
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
  {
    title: 'Respond by',
    cell: dispute => <When at={isClosed(dispute) ? null : dispute.respondBy} isDated />,
  },
  {
    title: 'Known since',
    isWide: true,
    cell: ({ createdAt }) => <When at={createdAt} isRelative />,
  },
];
