import { Button, Center, Code, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { useSession } from '../session/SessionProvider.tsx';
import type { SignInFault } from '../session/sign-in-error.ts';
import { useIdentityProvider } from '../session/use-identity-provider.ts';
import { DemoTokens } from './DemoTokens.tsx';
import { Mark } from './Mark.tsx';
import { isOwnMachine } from './own-machine.ts';
import { ProviderSignIn } from './ProviderSignIn.tsx';

/** The format that the API expects: three base64url parts. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** The button that shows the token is not among the stops of the Tab key by default. */
const SHOWN_BY_KEYBOARD = {
  tabIndex: 0,
  'aria-label': 'Show token',
  'aria-hidden': false,
} as const;

type SignInProps = {
  /** Why the last sign-in at the identity provider did not succeed. */
  readonly fault?: SignInFault | undefined;
};

export function SignIn({ fault }: SignInProps) {
  const { provider, isAsking } = useIdentityProvider();
  return (
    <Center mih="100dvh" p="md">
      <Stack component="main" className="card" p="xl" w="100%" maw={430} gap="lg">
        <Stack gap="xs">
          <Mark size={40} />
          <Title order={1} size="h2">
            Sign in
          </Title>
          <Text c="dimmed" size="sm">
            {provider === undefined
              ? 'Use an access token for your organization. It is kept in this tab only and removed when you close it.'
              : 'Use your organization account. Closing this tab signs you out.'}
          </Text>
        </Stack>
        {isAsking ? null : provider === undefined ? (
          <TokenForm />
        ) : (
          <ProviderSignIn provider={provider} fault={fault} />
        )}
        <DemoTokens />
      </Stack>
    </Center>
  );
}

function TokenForm() {
  const { signIn } = useSession();
  const [text, setText] = useState('');
  const [isRefused, setIsRefused] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const token = text.trim().replace(/^Bearer +/i, '');
    if (TOKEN.test(token)) signIn({ token });
    else setIsRefused(true);
  };
  return (
    <Stack component="form" onSubmit={submit} gap="sm">
      <PasswordInput
        label="Access token"
        placeholder="eyJhbGciOi…"
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setIsRefused(false);
        }}
        error={
          isRefused &&
          'That doesn’t look like an access token: it has three parts, separated by dots.'
        }
        data-autofocus
        visibilityToggleButtonProps={SHOWN_BY_KEYBOARD}
      />
      <Button type="submit" disabled={text.trim() === ''}>
        Sign in
      </Button>
      {isOwnMachine && (
        <Text size="xs" c="dimmed">
          For development, create a token with{' '}
          <Code>npm run -s token -- --org ID --role owner</Code>
        </Text>
      )}
    </Stack>
  );
}
