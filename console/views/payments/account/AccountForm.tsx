import { Button, PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { type Credentials, SECRETS } from './account-query.ts';

const SET = graphql(`
  mutation GatewayCredentialsSet($input: GatewayCredentialsSetInput!) {
    gatewayCredentialsSet(input: $input) {
      gatewayCredentials { version }
      userErrors { message field }
    }
  }
`);

const MODES = [
  { value: 'SANDBOX', label: 'Sandbox: no money moves' },
  { value: 'PRODUCTION', label: 'Production' },
] as const;
const SHOWN = ['appId', 'secretKey', 'webhookSecret', 'webhookSecretSecondary'];

type AccountFormProps = {
  /** Undefined where there are none yet. */
  readonly credentials: Credentials | undefined;
  readonly onDone: () => void;
};

type Typed = {
  readonly mode: Credentials['mode'];
  readonly appId: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly webhookSecretSecondary: string;
};

/** Secrets are sent once and never displayed again. */
export function AccountForm({ credentials, onDone }: AccountFormProps) {
  const [typed, setTyped] = useState<Typed>({
    mode: credentials?.mode ?? 'SANDBOX',
    appId: credentials?.appId ?? '',
    secretKey: '',
    webhookSecret: '',
    webhookSecretSecondary: '',
  });
  const { run, isRunning, refusals } = useAction(SET, {
    isFormShowing: true,
    done: 'The account is set. Try whether the gateway knows it.',
  });
  const change = (part: Partial<Typed>) => setTyped({ ...typed, ...part });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const input = { ...inputOf(typed), version: credentials?.version ?? null };
    if (await run({ input })) onDone();
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={SHOWN} />
      <SegmentedControl
        aria-label="Mode"
        data={[...MODES]}
        value={typed.mode}
        onChange={mode => change({ mode })}
      />
      <TextInput
        label="App ID"
        description="What the gateway knows the account by."
        required
        autoComplete="off"
        value={typed.appId}
        onChange={({ currentTarget }) => change({ appId: currentTarget.value })}
        error={refusalAt(refusals, 'appId')}
        data-autofocus
      />
      {SECRETS.map(({ field, title, about }) => (
        <PasswordInput
          key={field}
          label={title}
          description={about}
          placeholder={credentials?.[field] ? 'Stays as it is' : undefined}
          autoComplete="new-password"
          value={typed[field]}
          onChange={({ currentTarget }) => change({ [field]: currentTarget.value })}
          error={refusalAt(refusals, field)}
        />
      ))}
      <Text size="xs" c="dimmed">
        Secrets are sealed before they are stored, and never shown again: only their last four
        characters.
      </Text>
      <Button type="submit" loading={isRunning}>
        Save
      </Button>
    </Stack>
  );
}

function inputOf({ mode, appId, secretKey, webhookSecret, webhookSecretSecondary }: Typed) {
  return {
    onboarding: 'BYOM' as const,
    mode,
    appId: appId.trim(),
    // Empty fields are unchanged.
    secretKey: secretKey || null,
    webhookSecret: webhookSecret || null,
    webhookSecretSecondary: webhookSecretSecondary || null,
  };
}
