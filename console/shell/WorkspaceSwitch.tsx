import { Button, Menu, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { headersOf } from '../graph/client.ts';
import { graphql } from '../graph/graphql.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { useViewer } from '../session/ViewerProvider.tsx';

const WORKSPACES = graphql(`
  query Workspaces {
    viewer { organization { id workspaces(first: 100) { nodes { id name } } } }
  }
`);

/** The organisation's workspaces, where it has several and the token isn't bound to one of them. */
export function WorkspaceSwitch() {
  const { workspace, organization } = useViewer();
  const { session, signIn } = useSession();
  const token = session!.token;
  // Asked without naming a workspace: with one, the API tells of that one alone.
  const context = useMemo(() => ({ fetchOptions: { headers: headersOf({ token }) } }), [token]);
  const [{ data }] = useQuery({ query: WORKSPACES, context });
  const workspaces = data?.viewer?.organization?.workspaces.nodes ?? [];
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
            onClick={() => signIn({ token, workspaceId: id })}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
