import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { useWorkspaces } from '../../../session/use-workspaces.ts';
import { CreateWorkspace } from '../CreateWorkspace.tsx';

/** The form in a dialog; the console then shows the new workspace. */
export function NewWorkspace() {
  const [isOpen, setIsOpen] = useState(false);
  const { choose } = useWorkspaces();
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlus size={17} />}
        onClick={() => setIsOpen(true)}
      >
        New workspace
      </Button>
      <Dialog opened={isOpen} onClose={() => setIsOpen(false)} title="New workspace">
        <CreateWorkspace onCreated={choose} />
      </Dialog>
    </>
  );
}
