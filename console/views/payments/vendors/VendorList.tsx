import { Text } from '@mantine/core';
import { IconBuildingStore } from '@tabler/icons-react';
import { useState } from 'react';
import { Card } from '../../../pieces/Card.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { NewThing } from '../NewThing.tsx';
import { PaymentsPage } from '../PaymentsPage.tsx';
import { VendorEdit } from './VendorEdit.tsx';
import { VendorForm } from './VendorForm.tsx';
import { VendorMenu } from './VendorMenu.tsx';
import { VendorState } from './VendorState.tsx';
import { inReceiver } from './vendor-words.ts';
import { type ListedVendor, VENDOR_LIST } from './vendors-query.ts';

export default function VendorList() {
  const [edited, setEdited] = useState<ListedVendor>();
  const isOwner = useMay('OWNER');
  const actions: Column<ListedVendor> = {
    title: 'Actions',
    cell: vendor => <VendorMenu vendor={vendor} onEdit={() => setEdited(vendor)} />,
  };
  return (
    <PaymentsPage
      actions={<NewThing noun="vendor" form={done => <VendorForm onCreated={done} />} />}
    >
      <Card isFlush>
        <PagedTable
          label="Vendors"
          document={VENDOR_LIST}
          variables={{}}
          connectionOf={data => data.gatewayVendors}
          typename="GatewayVendor"
          keyOf={vendor => vendor.id}
          columns={isOwner ? [...COLUMNS, actions] : COLUMNS}
          empty={
            <Empty title="No vendor yet" icon={IconBuildingStore}>
              Vendors receive shares of your orders. They can be paid once the gateway has verified
              them.
            </Empty>
          }
        />
      </Card>
      <Dialog
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        size="lg"
        title="Edit vendor"
      >
        {edited && <VendorEdit vendor={edited} onDone={() => setEdited(undefined)} />}
      </Dialog>
    </PaymentsPage>
  );
}

const COLUMNS: readonly Column<ListedVendor>[] = [
  {
    title: 'Name',
    cell: ({ name }) => (
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
    ),
  },
  { title: 'State', cell: vendor => <VendorState vendor={vendor} /> },
  { title: 'Business type', isWide: true, cell: ({ businessType }) => businessType },
  { title: 'Paid to', isWide: true, cell: inReceiver },
  { title: 'Created', isWide: true, cell: ({ createdAt }) => <When at={createdAt} isRelative /> },
];
