import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconPlus } from '@tabler/icons-react';
import { Link } from 'wouter';
import { leaveBy } from '../pieces/unsaved.ts';
import { useWorkspaces } from '../session/use-workspaces.ts';
import { useMay, useViewer } from '../session/ViewerProvider.tsx';
import { NEW_WORKSPACE } from './views.ts';

/** The organization's workspaces, and how to create another. */
export function WorkspaceSwitch() {
  const { workspace, organization } = useViewer();
  const { workspaces, isUnknown, choose, refetch } = useWorkspaces();
  const isOwner = useMay('OWNER');
  const isEmpty = workspaces.length === 0 && !isUnknown;
  const name = workspace?.name ?? (isEmpty ? 'No workspace' : 'Choose a workspace');
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
            <Menu.Item component={Link} href={NEW_WORKSPACE} leftSection={<IconPlus size={16} />}>
              New workspace
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
