import { Box, Button, Stack, Text } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import { Card } from '../pieces/Card.tsx';
import { Empty } from '../pieces/Empty.tsx';
import { Loading } from '../pieces/Loading.tsx';
import { Page } from '../pieces/Page.tsx';
import { useWorkspaces } from '../session/use-workspaces.ts';
import { useMay } from '../session/ViewerProvider.tsx';
import { NEW_WORKSPACE } from './views.ts';

const CreateWorkspace = lazy(async () => ({
  default: (await import('../views/settings/CreateWorkspace.tsx')).CreateWorkspace,
}));

/** In the place of a view that needs a workspace while none is chosen. */
export function ChooseWorkspace() {
  const { workspaces, isAsking, choose } = useWorkspaces();
  const isOwner = useMay('OWNER');
  if (isAsking) return <Loading label="Loading workspaces" />;
  if (workspaces.length === 0) return <NoWorkspace />;
  return (
    <Page
      title="Choose a workspace"
      about="Events, campaigns and settings belong to a workspace."
      actions={
        isOwner && (
          <Button component={Link} href={NEW_WORKSPACE} variant="default">
            New workspace
          </Button>
        )
      }
    >
      <Card>
        <Stack gap="xs" maw={420}>
          {workspaces.map(({ id, name }) => (
            <Button key={id} variant="default" onClick={() => choose(id)}>
              <Text span truncate inherit>
                {name}
              </Text>
            </Button>
          ))}
        </Stack>
      </Card>
    </Page>
  );
}

function NoWorkspace() {
  const isOwner = useMay('OWNER');
  return (
    <Page
      title="Create a workspace"
      about="You don’t have a workspace yet. Create one to send events and run campaigns."
      actions={
        <Button component={Link} href="/partner" variant="default">
          Open the partner program
        </Button>
      }
    >
      <Card>
        {isOwner ? (
          <Box maw={420}>
            <Suspense fallback={<Loading label="Loading" />}>
              <CreateWorkspace />
            </Suspense>
          </Box>
        ) : (
          <Empty title="No workspace yet" icon={IconStack2}>
            An owner of your organization can create one.
          </Empty>
        )}
      </Card>
    </Page>
  );
}
