import { Button, Divider, Stack } from '@mantine/core';
import { IconBuildingStore, IconShieldLock, IconUsersGroup } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useSession } from '../session/SessionProvider.tsx';
import { isOwnMachine } from './own-machine.ts';

/** Available only from a service on the developer's own machine. */
type Tokens = { readonly owner: string; readonly admin: string; readonly agency?: string };

const PEOPLE = [
  { who: 'owner', label: 'Demo shop owner', icon: IconBuildingStore },
  { who: 'agency', label: 'Partner agency', icon: IconUsersGroup },
  { who: 'admin', label: 'Platform admin', icon: IconShieldLock },
] as const;

export function DemoTokens() {
  const { signIn } = useSession();
  const [tokens, setTokens] = useState<Tokens>();
  useEffect(() => {
    const controller = new AbortController();
    fetchTokens(controller.signal).then(setTokens, () => undefined);
    return () => controller.abort();
  }, []);
  if (tokens === undefined) return null;
  return (
    <Stack gap="xs">
      <Divider label="or explore the demo" />
      {PEOPLE.map(({ who, label, icon: Icon }) => {
        const token = tokens[who];
        return (
          token !== undefined && (
            <Button
              key={who}
              variant="default"
              leftSection={<Icon size={17} stroke={1.7} />}
              justify="flex-start"
              onClick={() => signIn({ token })}
            >
              {label}
            </Button>
          )
        );
      })}
    </Stack>
  );
}

async function fetchTokens(signal: AbortSignal): Promise<Tokens | undefined> {
  if (!isOwnMachine) return undefined;
  const answer = await fetch('/demo/tokens', { signal });
  return answer.ok ? ((await answer.json()) as Tokens) : undefined;
}
