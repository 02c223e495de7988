import { Alert, Button, Stack } from '@mantine/core';
import { useState } from 'react';
import type { IdentityProvider } from '../session/identity-provider.ts';
import { type SignInFault, signInFaultOf } from '../session/sign-in-error.ts';

const TEXTS: Record<SignInFault, string> = {
  denied: 'The identity provider denied access. Try again, or ask your administrator for access.',
  mismatch: 'This sign-in was not started in this tab, or it is too old. Sign in again.',
  unreachable:
    'Can’t reach the identity provider. Check your connection, then try again in a moment.',
  'opaque-token':
    'The identity provider issued an access token that is not a JWT. Ask your administrator to check the audience and scope of the console’s sign-in.',
  refused:
    'The identity provider did not complete the sign-in. Try again; if it fails again, ask your administrator to check how the console is registered there.',
};

type ProviderSignInProps = {
  readonly provider: IdentityProvider;
  readonly fault: SignInFault | undefined;
};

export function ProviderSignIn({ provider, fault: firstFault }: ProviderSignInProps) {
  const [fault, setFault] = useState(firstFault);
  const [isLeaving, setIsLeaving] = useState(false);
  const leave = async () => {
    setFault(undefined);
    setIsLeaving(true);
    try {
      const { beginSignIn } = await import('../session/oidc.ts');
      await beginSignIn(provider, location.pathname + location.search);
    } catch (error) {
      setFault(signInFaultOf(error));
      setIsLeaving(false);
    }
  };
  return (
    <Stack gap="sm">
      {fault !== undefined && (
        <Alert role="alert" color="red" variant="outline" title="You are not signed in">
          {TEXTS[fault]}
        </Alert>
      )}
      <Button onClick={() => void leave()} loading={isLeaving}>
        Sign in with {new URL(provider.issuer).host}
      </Button>
    </Stack>
  );
}
