import { Anchor, Button, Stack } from '@mantine/core';
import { IconLink, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Card } from '../../../pieces/Card.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Money } from '../../../pieces/Money.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { PaymentsPage } from '../PaymentsPage.tsx';
import { PAYMENTS } from '../payment-paths.ts';
import { StateWithReason } from '../StateWithReason.tsx';
import { LinkForm } from './LinkForm.tsx';
import { LINK_LIST, type ListedLink } from './links-query.ts';

export function LinkList() {
  const [isMaking, setIsMaking] = useState(false);
  const [, go] = useLocation();
  const isOwner = useMay('OWNER');
  return (
    <PaymentsPage
      actions={
        isOwner && (
          <Button leftSection={<IconPlus size={17} />} onClick={() => setIsMaking(true)}>
            New link
          </Button>
        )
      }
    >
      <Card isFlush>
        <PagedTable
          label="Payment links"
          document={LINK_LIST}
          variables={{}}
          connectionOf={data => data.gatewayLinks}
          typename="GatewayLink"
          keyOf={link => link.id}
          columns={COLUMNS}
          empty={
            <Empty title="No link yet" icon={IconLink}>
              A link is an address at which somebody pays a sum once, or in parts.
              <br />
              {isOwner && (
                <Button mt="md" onClick={() => setIsMaking(true)}>
                  Create your first link
                </Button>
              )}
            </Empty>
          }
        />
      </Card>
      <Dialog
        opened={isMaking}
        onClose={() => setIsMaking(false)}
        size="lg"
        title="New payment link"
      >
        <LinkForm onMade={id => go(PAYMENTS.link(id))} />
      </Dialog>
    </PaymentsPage>
  );
}

const COLUMNS: readonly Column<ListedLink>[] = [
  {
    title: 'For',
    cell: ({ id, purpose }) => (
      <Anchor component={Link} href={PAYMENTS.link(id)} underline="hover" fw={600} size="sm">
        {purpose}
      </Anchor>
    ),
  },
  { title: 'State', cell: link => <StateWithReason of={link} /> },
  {
    title: 'Amount',
    isNumber: true,
    cell: ({ amount, amountPaid, status }) => (
      <Stack gap={0} align="flex-end">
        <Money of={amount} fw={600} />
        {status === 'PARTIALLY_PAID' && (
          <span style={{ fontSize: 12 }}>
            <Money of={amountPaid} /> paid
          </span>
        )}
      </Stack>
    ),
  },
  { title: 'Open until', isWide: true, cell: ({ expiresAt }) => <When at={expiresAt} /> },
  { title: 'Made', cell: ({ createdAt }) => <When at={createdAt} isRelative /> },
];
