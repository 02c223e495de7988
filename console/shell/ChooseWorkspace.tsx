import { Button, Stack, Text } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Empty } from '../pieces/Empty.tsx';
import { Loading } from '../pieces/Loading.tsx';
import { useWorkspaces } from '../session/use-workspaces.ts';

/** Replaces a view that needs a workspace while none is chosen. */
export function ChooseWorkspace() {
  const { workspaces, isAsking, choose } = useWorkspaces();
  if (isAsking) return <Loading label="Reading the workspaces" />;
  if (workspaces.length === 0)
    return (
      <Empty title="There is no workspace yet" icon={IconStack2}>
        What is here belongs to one; an owner makes it with the mutation workspaceCreate. The
        partner program needs none.
        <Button component={Link} href="/partner" variant="default" mt="md">
          Open the partner program
        </Button>
      </Empty>
    );
  return (
    <Empty title="Choose a workspace" icon={IconStack2}>
      What is here belongs to one of them.
      <Stack gap="xs" mt="md" maw="min(420px, 80vw)">
        {workspaces.map(({ id, name }) => (
          <Button key={id} variant="default" onClick={() => choose(id)}>
            <Text span truncate inherit>
              {name}
            </Text>
          </Button>
        ))}
      </Stack>
    </Empty>
  );
}
