import { useMantineColorScheme } from '@mantine/core';
import { leaveBy } from '../../pieces/unsaved.ts';
import { useExactTimes } from '../../pieces/use-exact-times.ts';
import { useNewWorkspace } from '../../pieces/use-new-workspace.ts';
import { useSignOut } from '../../session/use-sign-out.ts';
import { useWorkspaces } from '../../session/use-workspaces.ts';
import { type Role, useViewer } from '../../session/ViewerProvider.tsx';
import { type Reachable, useReachableViews } from '../use-reachable-views.ts';
import { HOME, isAt, needsWorkspace } from '../views.ts';
import type { Entry } from './entry.ts';
import { SECTIONS, WORDS } from './pages.ts';

type Creation = {
  readonly label: string;
  readonly href: string;
  readonly role: Role;
  /** As the words of a view. */
  readonly words: string;
};

/** Other words for “new”. */
const CREATE = 'create, add';

/** Of views that may be out of reach for the viewer. */
const CREATIONS: readonly Creation[] = [
  {
    label: 'New campaign',
    href: '/campaigns/new',
    role: 'MEMBER',
    words: WORDS['/campaigns'] ?? '',
  },
  { label: 'New journey', href: '/journeys/new', role: 'MEMBER', words: 'flows, automation' },
  {
    label: 'New SDK key',
    href: '/keys?new',
    role: 'OWNER',
    words: 'write key, send a first event, test event',
  },
  { label: 'New webhook endpoint', href: '/webhooks?new', role: 'OWNER', words: 'callback' },
  {
    label: 'New analyst login',
    href: '/settings/logins?new',
    role: 'OWNER',
    words: 'ClickHouse, SQL, database',
  },
];

/** The views, workspaces and actions that the viewer can use. */
export function useCommands(onHelp: () => void): readonly Entry[] {
  const reachable = useReachableViews();
  const { views } = reachable;
  const { roles, workspace } = useViewer();
  const { setColorScheme } = useMantineColorScheme();
  const { isExact, toggle } = useExactTimes();
  const signOut = useSignOut();
  const { workspaces, choose } = useWorkspaces();
  const others = workspaces.filter(({ id }) => id !== workspace?.id);
  const newWorkspace = useNewWorkspace();
  const may = (role: Role) => role === 'MEMBER' || roles.includes(role);
  const creations = CREATIONS.filter(
    ({ href, role }) => may(role) && viewOf(href, reachable, roles) !== undefined,
  );
  const does = (label: string, words: string, run: () => void): Entry => ({
    id: label,
    group: 'Actions',
    label,
    words,
    run,
  });
  return [
    ...[{ ...HOME, href: HOME.path }, ...views].map(({ path, href, title, icon }) => ({
      id: path,
      group: 'Go to',
      label: title,
      Icon: icon,
      href,
      words: WORDS[path] ?? '',
    })),
    ...sectionsOf(reachable, roles),
    ...others.map(({ id, name }) => ({
      id,
      group: 'Workspaces',
      label: `Switch to ${name}`,
      isOnlyFound: workspace !== null,
      run: () => leaveBy(() => choose(id)),
    })),
    ...creations.map(({ label, href, words }) => ({
      id: href,
      group: 'Actions',
      label,
      href,
      words: `${CREATE}, ${words}`,
    })),
    ...(may('OWNER') ? [does('New workspace', CREATE, newWorkspace.open)] : []),
    does('Use the light theme', 'mode, appearance', () => setColorScheme('light')),
    does('Use the dark theme', 'mode, appearance', () => setColorScheme('dark')),
    does(isExact ? 'Show relative times' : 'Show exact times', 'timestamps', toggle),
    does('Show keyboard shortcuts', 'help', onHelp),
    does('Sign out', 'log out, logout', () => leaveBy(() => void signOut())),
  ];
}

/** Undefined if the viewer cannot open the page. */
function viewOf(href: string, { views, isWithoutWorkspace }: Reachable, roles: readonly Role[]) {
  const page = href.split('?')[0]!;
  const view = views.find(({ path }) => isAt(page, path));
  const isMissing = view && isWithoutWorkspace && needsWorkspace(view, page, roles);
  return isMissing ? undefined : view;
}

function sectionsOf(reachable: Reachable, roles: readonly Role[]): readonly Entry[] {
  return SECTIONS.flatMap(({ title, href, words = '', role, isFirst }) => {
    const view = viewOf(href, reachable, roles);
    if (view === undefined || (role !== undefined && !roles.includes(role))) return [];
    const { title: description, icon: Icon } = view;
    return {
      id: `section ${href}`,
      group: 'Go to',
      label: title,
      description,
      Icon,
      href,
      words,
      isOnlyFound: true,
      ...(isFirst && { isFirst }),
    };
  });
}
