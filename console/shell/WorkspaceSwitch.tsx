import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconPlus } from '@tabler/icons-react';
import { leaveBy } from '../pieces/unsaved.ts';
import { useNewWorkspace } from '../pieces/use-new-workspace.ts';
import { useWorkspaces } from '../session/use-workspaces.ts';
import { useMay, useViewer } from '../session/ViewerProvider.tsx';

/** The organization's workspaces, and how to create another. */
export function WorkspaceSwitch() {
  const { workspace, organization } = useViewer();
  const { workspaces, choose, refetch } = useWorkspaces();
  const isOwner = useMay('OWNER');
  const { open } = useNewWorkspace();
  const name = workspace?.name ?? 'No workspace';
  return (
    <Menu position="bottom-end" width={260} onOpen={refetch}>
      <Menu.Target>
        <Button
          variant="default"
          rightSection={<IconChevronDown size={14} />}
          maw={{ base: 200, sm: 360 }}
          aria-label={`Workspace: ${name}`}
        >
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{organization?.name}</Menu.Label>
        {workspaces.map(({ id, name }) => (
          <Menu.Item
            key={id}
            aria-current={id === workspace?.id}
            fw={id === workspace?.id ? 650 : undefined}
            onClick={() => leaveBy(() => choose(id))}
          >
            {name}
          </Menu.Item>
        ))}
        {isOwner && (
          <>
            {workspaces.length > 0 && <Menu.Divider />}
            <Menu.Item leftSection={<IconPlus size={16} />} onClick={open}>
              New workspace
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
