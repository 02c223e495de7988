import { Dialog } from '../pieces/Dialog.tsx';
import { useNewWorkspace } from '../pieces/use-new-workspace.ts';
import { CreateWorkspace } from '../views/settings/CreateWorkspace.tsx';

/** The form above the page from which it was opened. */
export default function NewWorkspace() {
  const { close } = useNewWorkspace();
  return (
    <Dialog opened onClose={close} title="New workspace">
      <CreateWorkspace onCreated={close} />
    </Dialog>
  );
}
