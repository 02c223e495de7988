import { Router } from 'wouter';
import { Loading } from '../pieces/Loading.tsx';
import { ProblemPage } from '../pieces/ProblemPage.tsx';
import { useSession } from '../session/SessionProvider.tsx';
import { useSignOut } from '../session/use-sign-out.ts';
import { ViewerProvider } from '../session/ViewerProvider.tsx';
import { Frame } from './Frame.tsx';
import { aroundNav, guardBack } from './guard-leaving.ts';
import { SIGNED_IN_PATH, SignedIn } from './SignedIn.tsx';
import { SignIn } from './SignIn.tsx';

/** As vite's `base` has it, without the slash at its end. */
const BASE = import.meta.env.BASE_URL.replace(/\/$/, '');

guardBack();

export function Console() {
  const { session } = useSession();
  const signOut = useSignOut();
  if (session === undefined)
    return location.pathname === BASE + SIGNED_IN_PATH ? <SignedIn /> : <SignIn />;
  return (
    <ViewerProvider
      loading={<Loading label="Signing in" />}
      problem={(error, onRetry) => (
        <ProblemPage error={error} onRetry={onRetry} onSignOut={() => void signOut()} />
      )}
    >
      <Router base={BASE} aroundNav={aroundNav}>
        <Frame />
      </Router>
    </ViewerProvider>
  );
}
