import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { VendorForm } from './VendorForm.tsx';

export function NewVendor() {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  if (!useMay('OWNER')) return null;
  return (
    <>
      <Button leftSection={<IconPlus size={17} />} onClick={() => setIsOpen(true)}>
        Create vendor
      </Button>
      <Dialog opened={isOpen} onClose={close} size="lg" title="Create vendor">
        <VendorForm onCreated={close} />
      </Dialog>
    </>
  );
}
