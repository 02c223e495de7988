import { Alert, Button, Group, NumberInput, Stack, TagsInput, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { graphql } from '../../graph/graphql.ts';
import { inCount } from '../../pieces/in-words.ts';
import { NOT_BLANK } from '../../pieces/not-blank.ts';
import { Refusals, refusalAt } from '../../pieces/Refusals.tsx';
import { type Refusal, useAction } from '../../pieces/use-action.tsx';
import type { Snippet } from '../../snippets/snippet.ts';
import { AcceptsChoice } from './AcceptsChoice.tsx';
import { ClientSelect } from './ClientSelect.tsx';
import type { SdkKey } from './keys-query.ts';
import { useLastClient } from './use-last-client.ts';

const FIELDS = graphql(`
  fragment KeyFields on SdkKey {
    id name writeKey origins accepts minuteCap hourCap isActive createdAt lastUsedAt expiresAt revokedAt
    replacedBy { id writeKey }
    rotatedFrom { id writeKey }
  }
`);

const CREATE = graphql(
  `
  mutation KeyCreate($input: SdkKeyCreateInput!) {
    sdkKeyCreate(input: $input) { sdkKey { ...KeyFields } userErrors { message field } }
  }
`,
  [FIELDS],
);

const UPDATE = graphql(
  `
  mutation KeyUpdate($id: ID!, $input: SdkKeyUpdateInput!) {
    sdkKeyUpdate(id: $id, input: $input) { sdkKey { ...KeyFields } userErrors { message field } }
  }
`,
  [FIELDS],
);

export type Made = { readonly sdkKey: SdkKey; readonly client: Snippet };

type KeyFormProps = {
  /** Undefined for a new one. */
  readonly sdkKey: SdkKey | undefined;
  /** With the key that was made and its client; without them where a key was changed. */
  readonly onDone: (made?: Made) => void;
};

type Input = ReturnType<typeof inputOf>;

const SHOWN = ['name', 'accepts', 'minuteCap', 'hourCap', 'origins'];

export function KeyForm({ sdkKey, onDone }: KeyFormProps) {
  const { last } = useLastClient();
  const [client, setClient] = useState(last);
  const [input, setInput] = useState(() => inputOf(sdkKey, client));
  const create = useAction(CREATE, { isFormShowing: true });
  const update = useAction(UPDATE, { isFormShowing: true, done: 'The key was changed.' });
  const { isRunning, refusals } = sdkKey === undefined ? create : update;
  const change = (part: Partial<Input>) => setInput({ ...input, ...part });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (sdkKey === undefined) {
      const made = (await create.run({ input }))?.sdkKeyCreate?.sdkKey;
      if (made) onDone({ sdkKey: made, client });
    } else if (await update.run({ id: sdkKey.id, input })) onDone();
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={SHOWN} />
      <TextInput
        label="Name"
        description="For example the app that uses it."
        required
        pattern={NOT_BLANK}
        data-autofocus
        value={input.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        error={refusalAt(refusals, 'name')}
      />
      {sdkKey === undefined ? (
        <ClientSelect
          value={client}
          description="What sends your events. Sample code for it comes next. You can change the client, and what the key accepts, later."
          onChange={chosen => {
            setClient(chosen);
            change({ accepts: chosen.accepts });
          }}
        />
      ) : (
        <AcceptsChoice
          value={input.accepts}
          onChange={accepts => change({ accepts })}
          error={refusalAt(refusals, 'accepts')}
        />
      )}
      <Caps input={input} onChange={change} refusals={refusals} />
      <TagsInput
        label="Allowed origins"
        description="Sites that can use the key, such as https://shop.example. Leave empty to allow any."
        value={input.origins}
        onChange={origins => change({ origins })}
        error={refusalAt(refusals, 'origins')}
      />
      <Button type="submit" loading={isRunning}>
        {sdkKey === undefined ? 'Create key' : 'Save'}
      </Button>
    </Stack>
  );
}

function inputOf(sdkKey: SdkKey | undefined, client: Snippet) {
  return {
    name: sdkKey?.name ?? '',
    minuteCap: sdkKey?.minuteCap ?? null,
    hourCap: sdkKey?.hourCap ?? null,
    origins: sdkKey?.origins ?? [],
    accepts: sdkKey?.accepts ?? client.accepts,
  };
}

type CapsProps = {
  readonly input: Input;
  readonly onChange: (part: Partial<Input>) => void;
  readonly refusals: readonly Refusal[];
};

function Caps({ input: { minuteCap, hourCap }, onChange, refusals }: CapsProps) {
  return (
    <>
      <Group grow align="flex-start">
        <Cap
          label="Events per minute"
          value={minuteCap}
          onChange={next => onChange({ minuteCap: next })}
          error={refusalAt(refusals, 'minuteCap')}
        />
        <Cap
          label="Events per hour"
          value={hourCap}
          onChange={next => onChange({ hourCap: next })}
          error={refusalAt(refusals, 'hourCap')}
        />
      </Group>
      <CapWarning minuteCap={minuteCap} hourCap={hourCap} />
    </>
  );
}

type CapWarningProps = { readonly minuteCap: number | null; readonly hourCap: number | null };

/** Allowed, but rarely what is meant. */
function CapWarning({ minuteCap, hourCap }: CapWarningProps) {
  if (minuteCap === null || hourCap === null || hourCap >= minuteCap) return null;
  return (
    <Alert role="status" color="yellow" variant="outline" icon={<IconAlertTriangle />}>
      The limit per hour is lower than the limit per minute: {inCount(hourCap)} events in one minute
      use up the entire hour.
    </Alert>
  );
}

type CapProps = {
  readonly label: string;
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
  readonly error: string | undefined;
};

function Cap({ label, value, onChange, error }: CapProps) {
  return (
    <NumberInput
      label={label}
      placeholder="No limit"
      min={1}
      allowDecimal={false}
      thousandSeparator
      value={value ?? ''}
      onChange={next => onChange(typeof next === 'number' ? next : null)}
      error={error}
    />
  );
}
