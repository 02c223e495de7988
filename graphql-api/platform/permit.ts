import { reject } from './rejected.ts';
import type { Viewer } from './viewer.ts';

/** `member` is any user with a role in the organization; `platformAdmin` is staff of the platform. */
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

/** Returns the viewer if the rule allows them; rejects otherwise. */
export function permitted(viewer: Viewer | undefined, rule: AccessRule): Viewer {
  if (viewer === undefined) return reject('UNAUTHENTICATED');
  if (!permits(viewer, rule)) return reject('FORBIDDEN');
  return viewer;
}

/** The workspace of the request; rejects if none is named and the organization does not have exactly one. */
export function workspaceOf(viewer: Viewer | undefined): string {
  if (viewer === undefined) return reject('UNAUTHENTICATED');
  return viewer.workspaceId ?? reject('WORKSPACE_REQUIRED');
}
