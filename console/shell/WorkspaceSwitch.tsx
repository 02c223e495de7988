import { Button, Menu, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { leaveBy } from '../pieces/unsaved.ts';
import { useWorkspaces } from '../session/use-workspaces.ts';
import { useViewer } from '../session/ViewerProvider.tsx';

/** The organization's workspaces, where it has several and the token isn't bound to one of them. */
export function WorkspaceSwitch() {
  const { workspace, organization } = useViewer();
  const { workspaces, choose } = useWorkspaces();
  const name = workspace?.name ?? 'Choose a workspace';
  if (workspaces.length < 2)
    return (
      <Text size="sm" c="dimmed" truncate maw={{ base: 180, sm: 360 }}>
        {workspace?.name ?? organization?.name}
      </Text>
    );
  return (
    <Menu position="bottom-end" width={260}>
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
      </Menu.Dropdown>
    </Menu>
  );
}
