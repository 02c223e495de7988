// The viewer's token and workspace. Stored per tab: closing the tab signs out, and other tabs can
// have other sessions.

import { lastWorkspace } from './last-workspace.ts';

export type Session = {
  readonly token: string;
  /** The ID of the workspace; undefined until the first answer says which one it is. */
  readonly workspaceId?: string;
  /** Undefined if the viewer brought the token along. */
  readonly grant?: Grant;
};

/** What the identity provider issued with the access token. */
export type Grant = {
  readonly expiresAtMs?: number;
  readonly refreshToken?: string;
  /** Sent back at sign-out, so that the provider knows which of its sessions to end. */
  readonly idToken?: string;
};

const KEY = 'console-session';
/** A link that signs in: never sent to a server, since it is behind the #. */
const LINK = /^#token=([\w-]+\.[\w-]+\.[\w-]*)$/;

/** From the address of a link that signs in, which is then wiped off the address bar; else from the tab. */
export function readSession(): Session | undefined {
  const token = LINK.exec(location.hash)?.[1];
  if (token !== undefined) {
    history.replaceState(null, '', location.pathname + location.search);
    writeSession(begun({ token }));
  }
  const kept = sessionStorage.getItem(KEY);
  return kept === null ? undefined : (JSON.parse(kept) as Session);
}

/** A sign-in that names no workspace opens the one that the user opened last. */
export function begun(session: Session): Session {
  const workspaceId = session.workspaceId ?? lastWorkspace(session.token);
  return workspaceId === undefined ? session : { ...session, workspaceId };
}

export function writeSession(session: Session | undefined): void {
  if (session === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, JSON.stringify(session));
}
