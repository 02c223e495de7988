import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMay } from '../session/ViewerProvider.tsx';
import { useNewWorkspace } from './use-new-workspace.ts';

/** For owners. */
export function NewWorkspaceButton() {
  const isOwner = useMay('OWNER');
  const { open } = useNewWorkspace();
  if (!isOwner) return null;
  return (
    <Button variant="default" leftSection={<IconPlus size={17} />} onClick={open}>
      New workspace
    </Button>
  );
}
