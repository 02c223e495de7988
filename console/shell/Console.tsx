import { lazy, Suspense } from 'react';
import { Router } from 'wouter';
import { Loading } from '../pieces/Loading.tsx';
import { ProblemPage } from '../pieces/ProblemPage.tsx';
import { useSession } from '../session/SessionProvider.tsx';
import { useSignOut } from '../session/use-sign-out.ts';
import { ViewerProvider } from '../session/ViewerProvider.tsx';
import { Frame } from './Frame.tsx';
import { aroundNav, guardBack } from './guard-leaving.ts';
import { SIGNED_IN_PATH } from './signed-in-path.ts';

const SignIn = lazy(async () => ({ default: (await import('./SignIn.tsx')).SignIn }));
const SignedIn = lazy(async () => ({ default: (await import('./SignedIn.tsx')).SignedIn }));

/** As vite's `base` has it, without the slash at its end. */
const BASE = import.meta.env.BASE_URL.replace(/\/$/, '');

guardBack();

export function Console() {
  const { session } = useSession();
  const signOut = useSignOut();
  if (session === undefined)
    return (
      <Suspense fallback={<Loading label="Loading the sign-in page" />}>
        {location.pathname === BASE + SIGNED_IN_PATH ? <SignedIn /> : <SignIn />}
      </Suspense>
    );
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
