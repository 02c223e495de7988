import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
import { CopyField } from '../../../pieces/CopyField.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { NOT_BLANK } from '../../../pieces/not-blank.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import type { AnalystLogin } from './logins-query.ts';

const CREATE = graphql(`
  mutation AnalystLoginCreate($input: AnalystLoginCreateInput!) {
    analystLoginCreate(input: $input) {
      analystLogin { id name userName state url database createdAt }
      password
      userErrors { message field }
    }
  }
`);

type Made = { readonly login: AnalystLogin; readonly password: string };
type NewLoginProps = { readonly isOpen: boolean; readonly onClose: () => void };

/** The form, then the password, which is shown this once. */
export function NewLogin({ isOpen, onClose }: NewLoginProps) {
  const [made, setMade] = useState<Made>();
  const close = () => {
    onClose();
    setMade(undefined);
  };
  return (
    <Dialog
      opened={isOpen}
      onClose={close}
      size="lg"
      title={made === undefined ? 'New analyst login' : `“${made.login.name}” can connect`}
      closeOnClickOutside={made === undefined}
      closeOnEscape={made === undefined}
    >
      {made === undefined ? (
        <LoginForm onMade={setMade} />
      ) : (
        <PasswordOnce made={made} onDone={close} />
      )}
    </Dialog>
  );
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

type PasswordOnceProps = { readonly made: Made; readonly onDone: () => void };

function PasswordOnce({ made: { login, password }, onDone }: PasswordOnceProps) {
  const address = login.url === null ? undefined : new URL(login.url);
  const isSecure = address?.protocol === 'https:';
  return (
    <Stack>
      <Alert
        icon={<IconEyeOff />}
        variant="outline"
        color="brand"
        title="Copy the password now: it won’t be shown again"
      >
        Anyone with the password can read all events of this workspace. If you lose it, revoke the
        login and create a new one.
      </Alert>
      <CopyField label="User" value={login.userName} />
      <CopyField label="Password" value={password} />
      <Facts
        facts={[
          ['Host', address?.hostname],
          ['Port', address && (address.port || (isSecure ? '443' : '80'))],
          ['Protocol', address && (isSecure ? 'HTTPS' : 'HTTP')],
        ]}
      />
      <Text size="sm" c="dimmed">
        The login works in about a second. The list then shows its database.
      </Text>
      <Button onClick={onDone}>Done</Button>
    </Stack>
  );
}
