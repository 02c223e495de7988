import { Anchor, Text } from '@mantine/core';
import { IconTimeline } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import { State } from '../../../pieces/State.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { PAYMENTS } from '../payment-paths.ts';
import { PAYMENT_EFFECTS, type PaymentEffect } from './payments-query.ts';

/** What happened to the payment, its refunds and its disputes, newest first. */
export function PaymentTimeline({ paymentId }: { readonly paymentId: string }) {
  return (
    <Card title="Timeline" isFlush>
      <PagedTable
        label="Timeline"
        document={PAYMENT_EFFECTS}
        variables={{ paymentId }}
        connectionOf={data => data.gatewayEffects}
        typename="GatewayRefund"
        keyOf={({ name, objectId, occurredAt }) => `${name} ${objectId} ${occurredAt}`}
        columns={COLUMNS}
        empty={
          <Empty title="No changes yet" icon={IconTimeline}>
            Each change that the payment gateway reports is added here.
          </Empty>
        }
      />
    </Card>
  );
}

const COLUMNS: readonly Column<PaymentEffect>[] = [
  { title: 'What happened', cell: effect => <WhatHappened effect={effect} /> },
  {
    title: 'Reported by',
    isWide: true,
    cell: ({ eventId }) =>
      eventId === null ? (
        'A status check'
      ) : (
        <Anchor component={Link} href={PAYMENTS.event(eventId)} underline="hover" size="sm">
          A gateway event
        </Anchor>
      ),
  },
  { title: 'When', cell: ({ occurredAt }) => <When at={occurredAt} isDated /> },
];

function WhatHappened({ effect }: { readonly effect: PaymentEffect }) {
  const { name, objectKind, objectId, isLate } = effect;
  return (
    <>
      <Text size="sm" fw={600} span>
        {inPlainWords(name.replace('.', ' '))}
      </Text>{' '}
      {isLate && <State name="LATE" label="Late" />}
      {objectKind !== 'payment' && (
        <Text className="mono" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {objectId}
        </Text>
      )}
    </>
  );
}
