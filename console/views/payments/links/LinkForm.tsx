import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
import { AmountInput } from '../../../pieces/AmountInput.tsx';
import { confirm } from '../../../pieces/confirm.tsx';
import { readAmount } from '../../../pieces/decimal.ts';
import { exampleAmount } from '../../../pieces/in-words.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { type Refusal, useAction, useOnceKey } from '../../../pieces/use-action.tsx';

const CREATE = graphql(`
  mutation GatewayLinkCreate($input: GatewayLinkCreateInput!, $key: String!) {
    gatewayLinkCreate(input: $input) @idempotent(key: $key) {
      gatewayLink { id }
      userErrors { code message field }
    }
  }
`);

const CURRENCY = 'INR';
const NO_AMOUNT = `Enter an amount, such as ${exampleAmount()}.`;
const SHOWN = ['amount', 'purpose', 'phone', 'email', 'name', 'expiresAt', 'minimumPartialAmount'];
const NOTHING_TYPED = {
  amount: '',
  purpose: '',
  phone: '',
  email: '',
  name: '',
  minimum: '',
  expires: '',
  isBySms: false,
  isByEmail: false,
};
type Typed = typeof NOTHING_TYPED;

/** Made once, however often this is sent: the key is the deed's. */
export function LinkForm({ onMade }: { readonly onMade: (id: string) => void }) {
  const [typed, setTyped] = useState(NOTHING_TYPED);
  const [isTried, setIsTried] = useState(false);
  const once = useOnceKey();
  const { run, isRunning, refusals } = useAction(CREATE, { isFormShowing: true, once });
  const change = (part: Partial<Typed>) => {
    setTyped({ ...typed, ...part });
    once.renew();
  };
  const amount = readAmount(typed.amount);
  const make = async () => {
    const input = {
      ...inputOf(typed),
      amount: amount!,
      minimumPartialAmount: readAmount(typed.minimum) ?? null,
    };
    const made = (await run({ input, key: once.key }))?.gatewayLinkCreate?.gatewayLink;
    if (made) onMade(made.id);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (amount === undefined || isMinimumWrong(typed)) return;
    if (typed.isBySms || typed.isByEmail) askFirst(typed, () => void make());
    else void make();
  };
  return (
    <Stack component="form" onSubmit={submit}>
      <Refusals refusals={refusals} except={SHOWN} />
      <Amounts typed={typed} onChange={change} isTried={isTried} refusals={refusals} />
      <Texts typed={typed} onChange={change} refusals={refusals} />
      <Group>
        <Checkbox
          label="The gateway sends it by SMS"
          checked={typed.isBySms}
          onChange={({ currentTarget }) => change({ isBySms: currentTarget.checked })}
        />
        <Checkbox
          label="and by email"
          checked={typed.isByEmail}
          onChange={({ currentTarget }) => change({ isByEmail: currentTarget.checked })}
        />
      </Group>
      <Button type="submit" loading={isRunning}>
        Make the link
      </Button>
    </Stack>
  );
}

type AmountsProps = TextsProps & { readonly isTried: boolean };

function Amounts({ typed, onChange, isTried, refusals }: AmountsProps) {
  return (
    <Group grow align="flex-start">
      <AmountInput
        label="Amount"
        required
        currency={CURRENCY}
        value={typed.amount}
        onChange={value => onChange({ amount: value })}
        error={
          isTried && readAmount(typed.amount) === undefined
            ? NO_AMOUNT
            : refusalAt(refusals, 'amount')
        }
        data-autofocus
      />
      <AmountInput
        label="Least part"
        placeholder="No parts"
        currency={CURRENCY}
        value={typed.minimum}
        onChange={minimum => onChange({ minimum })}
        error={
          isTried && isMinimumWrong(typed) ? NO_AMOUNT : refusalAt(refusals, 'minimumPartialAmount')
        }
      />
    </Group>
  );
}

const isMinimumWrong = ({ minimum }: Typed) =>
  minimum.trim() !== '' && readAmount(minimum) === undefined;

type TextsProps = {
  readonly typed: Typed;
  readonly onChange: (part: Partial<Typed>) => void;
  readonly refusals: readonly Refusal[];
};

/** Purpose, payer and expiry. */
function Texts({ typed, onChange, refusals }: TextsProps) {
  const text = (
    name: 'purpose' | 'phone' | 'email' | 'name' | 'expires',
    refused: string = name,
  ) => ({
    value: typed[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      onChange({ [name]: currentTarget.value }),
    error: refusalAt(refusals, refused),
  });
  return (
    <>
      <TextInput label="What is paid for" required {...text('purpose')} />
      <Group grow align="flex-start">
        <TextInput label="Payer’s phone" type="tel" required {...text('phone')} />
        <TextInput label="Payer’s email" type="email" {...text('email')} />
      </Group>
      <Group grow align="flex-start">
        <TextInput label="Payer’s name" {...text('name')} />
        <TextInput
          label="Open until"
          description="30 days unless said."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          type="datetime-local"
          {...text('expires', 'expiresAt')}
        />
      </Group>
    </>
  );
}

function inputOf({ purpose, phone, email, name, expires, isBySms, isByEmail }: Typed) {
  return {
    currency: CURRENCY,
    purpose: purpose.trim(),
    customer: { phone: phone.trim(), email: email.trim() || null, name: name.trim() || null },
    // The format of the field: the viewer's time without a zone.
    expiresAt: expires === '' ? null : new Date(expires).toISOString(),
    isSentBySms: isBySms,
    isSentByEmail: isByEmail,
  };
}

function askFirst({ phone, email, isBySms, isByEmail }: Typed, onConfirm: () => void): void {
  const to = [isBySms && phone, isByEmail && (email || 'the email address')].filter(Boolean);
  confirm({
    title: 'Make the link, and send it',
    confirm: 'Make and send it',
    children: `The gateway sends it to ${to.join(' and ')} at once.`,
    onConfirm,
  });
}
