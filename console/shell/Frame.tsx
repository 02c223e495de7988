import { AppShell, Burger, Group, NavLink, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { Suspense, useEffect } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { Loading } from '../pieces/Loading.tsx';
import { useViewer } from '../session/ViewerProvider.tsx';
import { Account } from './Account.tsx';
import { ChooseWorkspace } from './ChooseWorkspace.tsx';
import { DelayBanner } from './DelayBanner.tsx';
import { Mark } from './Mark.tsx';
import { NotFound } from './NotFound.tsx';
import { SIGNED_IN_PATH } from './SignedIn.tsx';
import { VIEWS } from './views.ts';
import { WorkspaceSwitch } from './WorkspaceSwitch.tsx';

/** The page around a view: where one is, where one can go, and as whom. */
export function Frame() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const [location] = useLocation();
  const { workspace } = useViewer();
  const showsEvents = VIEWS.some(view => view.showsEvents && location.startsWith(view.path));
  // A confirmation must not outlive the view that it belongs to.
  useEffect(() => modals.closeAll(), [location]);
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 224, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', md: 'xl' }}
    >
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={isOpen ? 'Close the navigation' : 'Open the navigation'}
          />
          <Mark />
          <Text fw={650} visibleFrom="sm">
            Engagement
          </Text>
          <Group ml="auto" gap="xs" wrap="nowrap">
            <WorkspaceSwitch />
            <Account />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label="Views">
        <Navigation onGo={close} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        {showsEvents && workspace !== null && <DelayBanner />}
        <Suspense fallback={<Loading label="Opening" />}>
          <Routes />
        </Suspense>
      </AppShell.Main>
    </AppShell>
  );
}

function Navigation({ onGo }: { readonly onGo: () => void }) {
  const [location] = useLocation();
  return (
    <ScrollArea>
      {VIEWS.map(({ path, title, icon: Icon }) => {
        const isHere = location.startsWith(path);
        return (
          <NavLink
            key={path}
            component={Link}
            href={path}
            label={title}
            active={isHere}
            aria-current={isHere ? 'page' : undefined}
            leftSection={<Icon size={19} stroke={1.7} />}
            onClick={onGo}
            mb={2}
            fw={isHere ? 600 : 500}
            style={{ borderRadius: 'var(--mantine-radius-md)' }}
          />
        );
      })}
    </ScrollArea>
  );
}

function Routes() {
  const { workspace } = useViewer();
  return (
    <Switch>
      <Route path="/">
        <Redirect to={VIEWS[0]!.path} replace />
      </Route>
      {VIEWS.map(({ path, isOfWorkspace, Component }) => (
        <Route
          key={path}
          path={`${path}/*?`}
          component={isOfWorkspace && workspace === null ? ChooseWorkspace : Component}
        />
      ))}
      <Route path={SIGNED_IN_PATH}>
        <Redirect to="/" replace />
      </Route>
      <Route component={NotFound} />
    </Switch>
  );
}
