import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { useNewInAddress } from '../../../pieces/use-new-in-address.ts';
import { CreateWorkspace } from '../CreateWorkspace.tsx';

/** The form in a dialog, for owners. */
export function NewWorkspace() {
  const { isNew, open, close } = useNewInAddress(true);
  return (
    <>
      <Button variant="default" leftSection={<IconPlus size={17} />} onClick={open}>
        New workspace
      </Button>
      <Dialog opened={isNew} onClose={close} title="New workspace">
        <CreateWorkspace />
      </Dialog>
    </>
  );
}
