import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { Provider } from 'urql';
import { createClient } from '../graph/client.ts';
import { type CurrentSession, keepCurrent, renewInTime } from './keep-current.ts';
import { forgetWorkspace } from './last-workspace.ts';
import { begun, readSession, type Session, writeSession } from './session.ts';

type SessionControl = {
  /** As it was at sign-in; `current` has the token for the next request. */
  readonly session: Session | undefined;
  readonly current: CurrentSession;
  readonly signIn: (session: Session) => void;
  /** In this tab only. The identity provider still knows the user. */
  readonly signOut: () => void;
  /** How often the viewer signed in or chose a workspace since the page was loaded. */
  readonly signIns: number;
  /** Requests name this workspace from now on, also once the organization has several. */
  readonly stayIn: (workspaceId: string) => void;
  /** Requests name no workspace from now on, until one is chosen or the API names one. */
  readonly leaveWorkspace: () => void;
};

const SessionContext = createContext<SessionControl | undefined>(undefined);

/**
 * When a user signs in or out or changes the workspace, the children are remounted and all their data
 * is discarded. A renewed token changes nothing on the page.
 */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [{ session, signIns }, setState] = useState(() => ({ session: readSession(), signIns: 0 }));
  const { current, stayIn } = useMemo(
    () => (session === undefined ? NOBODY : keepCurrent(session)),
    [session],
  );
  const client = useMemo(() => session && createClient(current), [session, current]);
  const control = useMemo(() => {
    const change = (next: Session | undefined) => {
      writeSession(next);
      setState(before => ({ session: next, signIns: before.signIns + 1 }));
    };
    return {
      session,
      current,
      signIn: (next: Session) => change(begun(next)),
      signOut: () => change(undefined),
      signIns,
      stayIn,
      leaveWorkspace: () =>
        void current().then(({ workspaceId, ...rest }) => {
          if (workspaceId === undefined) return;
          forgetWorkspace(rest.token);
          change(rest);
        }),
    };
  }, [session, current, signIns, stayIn]);
  useEffect(() => (session === undefined ? undefined : renewInTime(current)), [session, current]);
  return (
    <SessionContext value={control}>
      {client === undefined ? (
        children
      ) : (
        <Provider key={signIns} value={client}>
          {children}
        </Provider>
      )}
    </SessionContext>
  );
}

const NOBODY: ReturnType<typeof keepCurrent> = {
  current: () => Promise.reject(new Error('nobody has signed in')),
  stayIn: () => undefined,
};

export function useSession(): SessionControl {
  const control = useContext(SessionContext);
  if (control === undefined) throw new Error('useSession belongs below SessionProvider');
  return control;
}
