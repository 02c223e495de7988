import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { Provider } from 'urql';
import { createClient } from '../graph/client.ts';
import { readSession, type Session, writeSession } from './session.ts';

type SessionControl = {
  readonly session: Session | undefined;
  readonly signIn: (session: Session) => void;
  readonly signOut: () => void;
};

const SessionContext = createContext<SessionControl | undefined>(undefined);

/** When the session changes, the children are remounted and all their data is discarded. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [session, setSession] = useState(readSession);
  const control = useMemo(() => {
    const change = (next: Session | undefined) => {
      writeSession(next);
      setSession(next);
    };
    return { session, signIn: change, signOut: () => change(undefined) };
  }, [session]);
  const client = useMemo(() => session && createClient(session), [session]);
  return (
    <SessionContext value={control}>
      {client === undefined ? (
        children
      ) : (
        <Provider key={`${session?.token} ${session?.workspaceId}`} value={client}>
          {children}
        </Provider>
      )}
    </SessionContext>
  );
}

export function useSession(): SessionControl {
  const control = useContext(SessionContext);
  if (control === undefined) throw new Error('useSession belongs below SessionProvider');
  return control;
}
