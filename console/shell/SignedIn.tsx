import { useEffect, useState } from 'react';
import { Loading } from '../pieces/Loading.tsx';
import { fetchIdentityProvider } from '../session/identity-provider.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { SignInError, type SignInFault, signInFaultOf } from '../session/sign-in-error.ts';
import { SignIn } from './SignIn.tsx';

/** Completes a sign-in, then shows the page from which it was started. */
export function SignedIn() {
  const { signIn } = useSession();
  const [fault, setFault] = useState<SignInFault>();
  useEffect(() => {
    finishOnce().then(
      ({ session, returnPath }) => {
        history.replaceState(null, '', returnPath);
        signIn(session);
      },
      (error: unknown) => {
        history.replaceState(null, '', import.meta.env.BASE_URL);
        setFault(signInFaultOf(error));
      },
    );
  }, [signIn]);
  return fault === undefined ? <Loading label="Signing in" /> : <SignIn fault={fault} />;
}

let finishing: ReturnType<typeof finish> | undefined;

/** A code can be exchanged only once, and React may run an effect twice during development. */
function finishOnce(): ReturnType<typeof finish> {
  finishing ??= finish();
  return finishing;
}

async function finish() {
  const here = new URL(location.href);
  const provider = await fetchIdentityProvider();
  if (provider === undefined) throw new SignInError('mismatch');
  const { finishSignIn } = await import('../session/oidc.ts');
  return finishSignIn(provider, here);
}
