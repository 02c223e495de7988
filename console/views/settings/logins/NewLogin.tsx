import { Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../../../graph/graphql.ts';
import { CodeBlock } from '../../../pieces/CodeBlock.tsx';
import { CopyField } from '../../../pieces/CopyField.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { NOT_BLANK } from '../../../pieces/not-blank.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { ShownOnce } from '../../../pieces/ShownOnce.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { useCopy } from '../../../pieces/use-copy.ts';
import { useRepeat } from '../../../pieces/use-repeat.ts';
import { type AnalystLogin, LOGIN } from './logins-query.ts';

const CREATE = graphql(`
  mutation AnalystLoginCreate($input: AnalystLoginCreateInput!) {
    analystLoginCreate(input: $input) {
      analystLogin { id name userName state url database createdAt }
      password
      userErrors { message field }
    }
  }
`);

/** ClickHouse usually applies a change after about a second. */
const FOLLOW_MS = 1_000;

type Made = { readonly login: AnalystLogin; readonly password: string };
type NewLoginProps = { readonly isOpen: boolean; readonly onClose: () => void };

/** The form, then the password, which is shown this once. */
export function NewLogin({ isOpen, onClose }: NewLoginProps) {
  const [made, setMade] = useState<Made>();
  const login = useFollowed(made?.login);
  const close = () => {
    onClose();
    setMade(undefined);
  };
  return (
    <Dialog opened={isOpen} onClose={close} size="lg" title={titleOf(login)}>
      {made === undefined || login === undefined ? (
        <LoginForm onMade={setMade} />
      ) : (
        <PasswordOnce login={login} password={made.password} />
      )}
    </Dialog>
  );
}

function titleOf(login: AnalystLogin | undefined): string {
  if (login === undefined) return 'New analyst login';
  return login.database === null ? `New login “${login.name}”` : `“${login.name}” can connect`;
}

/** The login that was made, until it exists in ClickHouse and has a database. */
function useFollowed(made: AnalystLogin | undefined): AnalystLogin | undefined {
  const [{ data }, ask] = useQuery({
    query: LOGIN,
    variables: { id: made?.id ?? '' },
    pause: made === undefined,
  });
  const node = data?.node;
  const followed = node?.__typename === 'AnalystLogin' && node.id === made?.id ? node : made;
  useRepeat(ask, followed?.database === null ? FOLLOW_MS : undefined);
  return followed;
}

function LoginForm({ onMade }: { readonly onMade: (made: Made) => void }) {
  const [name, setName] = useState('');
  const { run, isRunning, refusals } = useAction(CREATE, { isFormShowing: true });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const created = (await run({ input: { name } }))?.analystLoginCreate;
    if (created?.analystLogin && created.password)
      onMade({ login: created.analystLogin, password: created.password });
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={['name']} />
      <Text size="sm">A login can query the data with SQL in ClickHouse, and change nothing.</Text>
      <TextInput
        label="Name"
        description="The person or tool that uses it, such as Metabase."
        required
        pattern={NOT_BLANK}
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={refusalAt(refusals, 'name')}
      />
      <Button type="submit" loading={isRunning}>
        Create login
      </Button>
    </Stack>
  );
}

/** Row policies limit a login to its workspace, so the query needs no condition on it. */
const EXAMPLE = `SELECT event, count() AS events
FROM events
WHERE timestamp >= now() - INTERVAL 7 DAY
GROUP BY event
ORDER BY events DESC`;

function PasswordOnce({ login, password }: Made) {
  const database = login.database ?? undefined;
  const address = login.url === null ? undefined : new URL(login.url);
  const isSecure = address?.protocol === 'https:';
  const place = [
    ['Host', address?.hostname],
    ['Port', address && (address.port || (isSecure ? '443' : '80'))],
    ['Protocol', address && (isSecure ? 'HTTPS' : 'HTTP')],
  ] as const;
  const handover = [
    ...place,
    ['Database', database],
    ['User', login.userName],
    ['Password', password],
  ] as const;
  return (
    <ShownOnce
      what="password"
      warning="Anyone with the password can read all events of this workspace. If you lose it, revoke the login and create a new one."
    >
      {onCopy => (
        <>
          <CopyField label="User" value={login.userName} isQuiet />
          <CopyField label="Password" value={password} isQuiet onCopy={onCopy} />
          <Facts facts={[...place, ['Database', database ?? <Waiting key="waiting" />]]} />
          <CopyAll facts={handover} isComplete={database !== undefined} onCopy={onCopy} />
          <Stack gap={6}>
            <Text size="sm">To try it, count the events of the last 7 days by name:</Text>
            <CodeBlock label="example query" code={EXAMPLE} />
          </Stack>
        </>
      )}
    </ShownOnce>
  );
}

/** On a busy machine ClickHouse may take longer. */
function Waiting() {
  return (
    <Group gap="xs" role="status">
      <Loader size="xs" aria-hidden />
      Waiting for ClickHouse, usually a few seconds…
    </Group>
  );
}

type CopyAllProps = {
  readonly facts: readonly (readonly [name: string, value: string | undefined])[];
  readonly isComplete: boolean;
  readonly onCopy: () => void;
};

/** Everything that the analyst or tool needs, as lines of text. */
function CopyAll({ facts, isComplete, onCopy }: CopyAllProps) {
  const { isCopied, copy } = useCopy(onCopy);
  const known = facts.filter(([, value]) => value !== undefined);
  const own = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // Until the viewer moves it, the focus is on the dialog around the button.
    if (isComplete && document.activeElement?.contains(own.current)) own.current?.focus();
  }, [isComplete]);
  return (
    <Button
      leftSection={isCopied ? <IconCheck size={17} /> : <IconCopy size={17} />}
      ref={own}
      disabled={!isComplete}
      onClick={() => copy(known.map(([name, value]) => `${name}: ${value}`).join('\n'))}
    >
      <span aria-live="polite">{isCopied ? 'Copied' : 'Copy all'}</span>
    </Button>
  );
}
