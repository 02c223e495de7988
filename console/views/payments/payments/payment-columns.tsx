// Payments, in the list of all and below their order.

import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { Money } from '../../../pieces/Money.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { inMethod } from '../in-method.ts';
import { PAYMENTS } from '../payment-paths.ts';
import { focusIfOpened, rememberOpened } from './opened-row.ts';
import { PaymentState } from './PaymentState.tsx';
import { KINDS, type ListedPayment } from './payments-query.ts';

export const PAYMENT_COLUMNS: readonly Column<ListedPayment>[] = [
  {
    title: 'Amount',
    cell: ({ amount, cfPaymentId }) => (
      <Anchor
        component={Link}
        ref={(link: HTMLAnchorElement | null) => focusIfOpened(cfPaymentId, link)}
        onClick={() => rememberOpened(cfPaymentId)}
        href={PAYMENTS.payment(cfPaymentId)}
        underline="hover"
        fw={600}
      >
        <Money of={amount} />
      </Anchor>
    ),
  },
  { title: 'State', cell: payment => <PaymentState payment={payment} /> },
  { title: 'For', cell: payment => <For payment={payment} /> },
  {
    title: 'Method',
    isWide: true,
    cell: ({ method }) => inMethod(method) ?? '–',
  },
  {
    title: 'Payment ID',
    isWide: true,
    cell: ({ cfPaymentId }) => <span className="mono">{cfPaymentId}</span>,
  },
  { title: 'When', cell: ({ paidAt, createdAt }) => <When at={paidAt ?? createdAt} isDated /> },
];

/** A reference as long as a link's would take the room of the other columns. */
const FOR_WIDTH = 220;

function For({ payment }: { readonly payment: ListedPayment }) {
  const { kind, orderId, linkId, subscriptionId, order, link, subscription } = payment;
  const reference = subscriptionId ?? linkId ?? orderId;
  const title = link?.purpose ?? order?.note ?? (linkId === null ? KINDS[kind] : 'A link');
  const href =
    (link && PAYMENTS.link(link.id)) ??
    (subscription && PAYMENTS.subscription(subscription.id)) ??
    (order && PAYMENTS.order(order.id));
  return (
    <Stack gap={0} align="flex-start" maw={FOR_WIDTH}>
      {href === null ? (
        <Text size="sm">{title}</Text>
      ) : (
        <Anchor component={Link} href={href} underline="hover" size="sm">
          {title}
        </Anchor>
      )}
      {reference !== null && (
        <Text
          size="xs"
          c="dimmed"
          className="mono"
          visibleFrom="md"
          maw="100%"
          truncate
          title={reference}
        >
          {reference}
        </Text>
      )}
    </Stack>
  );
}
