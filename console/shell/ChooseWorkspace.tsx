import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { Link, useLocation } from 'wouter';
import { Card } from '../pieces/Card.tsx';
import { Empty } from '../pieces/Empty.tsx';
import { Loading } from '../pieces/Loading.tsx';
import { NewWorkspaceButton } from '../pieces/NewWorkspaceButton.tsx';
import { Page } from '../pieces/Page.tsx';
import { useWorkspaces } from '../session/use-workspaces.ts';
import { useMay } from '../session/ViewerProvider.tsx';
import { titleAt } from './palette/pages.ts';

const CreateWorkspace = lazy(async () => ({
  default: (await import('../views/settings/CreateWorkspace.tsx')).CreateWorkspace,
}));

type ChooseWorkspaceProps = {
  /** What can be done without one. */
  readonly children?: ReactNode;
};

/** In the place of a page that needs a workspace while none is chosen, which then is shown. */
export function ChooseWorkspace({ children }: ChooseWorkspaceProps) {
  const { workspaces, isAsking, choose } = useWorkspaces();
  const [location] = useLocation();
  if (isAsking) return <Loading label="Loading workspaces" />;
  if (workspaces.length === 0) return <NoWorkspace />;
  const wanted = titleAt(location);
  return (
    <Page
      title={wanted === undefined ? 'Choose a workspace' : `Choose a workspace to open ${wanted}`}
      about="Events, campaigns and settings belong to a workspace."
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
          <Group mt="xs">
            <NewWorkspaceButton />
          </Group>
        </Stack>
      </Card>
      {children}
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
