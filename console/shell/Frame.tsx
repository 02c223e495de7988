import { AppShell, Burger, Group, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { lazy, Suspense, useEffect } from 'react';
import { useLocation } from 'wouter';
import { Loading } from '../pieces/Loading.tsx';
import { PRODUCT } from '../pieces/product.ts';
import { useNewWorkspace } from '../pieces/use-new-workspace.ts';
import { useViewer } from '../session/ViewerProvider.tsx';
import { Account } from './Account.tsx';
import { DelayBanner } from './DelayBanner.tsx';
import { Keyboard } from './keys/Keyboard.tsx';
import { Mark } from './Mark.tsx';
import { Navigation } from './Navigation.tsx';
import { Routes } from './Routes.tsx';
import { useArrival } from './use-arrival.ts';
import { useKeptPlace } from './use-kept-place.ts';
import { HOME, isAt, VIEWS } from './views.ts';
import { WorkspaceSwitch } from './WorkspaceSwitch.tsx';

const NewWorkspace = lazy(() => import('./NewWorkspace.tsx'));

/** The page around a view: where one is, where one can go, and as whom. */
export function Frame() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const [location] = useLocation();
  const { workspace } = useViewer();
  const newWorkspace = useNewWorkspace();
  const showsEvents =
    isAt(location, HOME.path) || VIEWS.some(view => view.showsEvents && isAt(location, view.path));
  const announced = useArrival(location);
  useKeptPlace();
  // A confirmation must not outlive the view that it belongs to.
  useEffect(() => modals.closeAll(), [location]);
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 224, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', md: 'lg' }}
    >
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={isOpen ? 'Close navigation' : 'Open navigation'}
          />
          <Mark />
          <Text fw={650} visibleFrom="sm">
            {PRODUCT}
          </Text>
          <Group ml="auto" gap="xs" wrap="nowrap">
            <Keyboard />
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
        <VisuallyHidden aria-live="polite">{announced}</VisuallyHidden>
        <Suspense fallback={<Loading label="Loading" />}>
          <Routes />
        </Suspense>
        <Suspense>{newWorkspace.isNew && <NewWorkspace />}</Suspense>
      </AppShell.Main>
    </AppShell>
  );
}
