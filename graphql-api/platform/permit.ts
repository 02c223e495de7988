import { reject } from './rejected.ts';
import type { Viewer } from './viewer.ts';

/** Who may: `member` is everybody with a role in the organisation, `platformAdmin` only ourselves. */
export type AccessRule = 'member' | 'owner' | 'platformAdmin';

export function permits(viewer: Viewer | undefined, rule: AccessRule): boolean {
  if (viewer === undefined) return false;
  switch (rule) {
    case 'member':
      return viewer.roles.size > 0;
    case 'owner':
      return viewer.roles.has('owner');
    case 'platformAdmin':
      return viewer.roles.has('platform_admin');
  }
}

/** The viewer, where the rule lets them; else the refusal that says what is missing. */
export function permitted(viewer: Viewer | undefined, rule: AccessRule): Viewer {
  if (viewer === undefined) return reject('UNAUTHENTICATED');
  if (!permits(viewer, rule)) return reject('FORBIDDEN');
  return viewer;
}

/** What belongs to a workspace needs one named; there is no guess between several. */
export function workspaceOf(viewer: Viewer | undefined): string {
  if (viewer === undefined) return reject('UNAUTHENTICATED');
  return viewer.workspaceId ?? reject('WORKSPACE_REQUIRED');
}
