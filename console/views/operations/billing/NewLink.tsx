import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { AmountInput } from '../../../pieces/AmountInput.tsx';
import { confirm } from '../../../pieces/confirm.tsx';
import { readAmount } from '../../../pieces/decimal.ts';
import { inMoney } from '../../../pieces/in-words.ts';
import { NOT_BLANK } from '../../../pieces/not-blank.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction, useOnceKey } from '../../../pieces/use-action.tsx';
import { type ChosenOrganization, OrganizationSelect } from '../OrganizationSelect.tsx';
import { CurrencySelect, DEFAULT_CURRENCY } from './CurrencySelect.tsx';
import { CREATE } from './links-query.ts';

const NOTHING_TYPED = {
  amount: '',
  currency: DEFAULT_CURRENCY,
  purpose: '',
  phone: '',
  email: '',
  name: '',
  expires: '',
};
type Typed = typeof NOTHING_TYPED;
type TextName = Exclude<keyof Typed, 'amount' | 'currency'>;
const SHOWN = [
  'organizationId',
  'currency',
  'amount',
  'purpose',
  'phone',
  'email',
  'name',
  'expiresAt',
];

/** A bill of the platform: created once, however often it is sent. */
export function NewLink({ onDone }: { readonly onDone: () => void }) {
  const [organization, setOrganization] = useState<ChosenOrganization | null>(null);
  const [typed, setTyped] = useState(NOTHING_TYPED);
  const once = useOnceKey();
  const { run, isRunning, refusals } = useAction(CREATE, {
    isFormShowing: true,
    once,
    done: 'The link was created.',
    changes: ['GatewayLink'],
  });
  const change = (part: Partial<Typed>) => {
    setTyped({ ...typed, ...part });
    once.renew();
  };
  const amount = readAmount(typed.amount);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (organization === null || amount === undefined) return;
    confirm({
      title: 'Create billing link',
      confirm: 'Create link',
      children: `“${organization.name}” can use it to pay ${inMoney(amount, typed.currency)} to the platform. The payment earns the organization’s referrer a reward.`,
      onConfirm: () => {
        const input = { ...inputOf(typed), organizationId: organization.id, amount };
        void run({ input, key: once.key }).then(isCreated => isCreated && onDone());
      },
    });
  };
  const text = (name: TextName, refused: string = name) => ({
    value: typed[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      change({ [name]: currentTarget.value }),
    error: refusalAt(refusals, refused),
  });
  return (
    <Stack component="form" onSubmit={submit}>
      <Refusals refusals={refusals} except={SHOWN} />
      <OrganizationSelect
        isRequired
        value={organization}
        onChange={chosen => {
          setOrganization(chosen);
          once.renew();
        }}
        error={refusalAt(refusals, 'organizationId')}
      />
      <Group grow align="flex-start">
        <AmountInput
          label="Amount"
          required
          currency={typed.currency}
          value={typed.amount}
          onChange={value => change({ amount: value })}
          error={refusalAt(refusals, 'amount')}
        />
        <CurrencySelect
          value={typed.currency}
          onChange={currency => change({ currency })}
          error={refusalAt(refusals, 'currency')}
        />
      </Group>
      <TextInput
        label="Purpose"
        description="For example the invoice number. Shown to the payer."
        required
        pattern={NOT_BLANK}
        {...text('purpose')}
      />
      <Group grow align="flex-start">
        <TextInput label="Payer’s phone" type="tel" required {...text('phone')} />
        <TextInput label="Payer’s email" type="email" {...text('email')} />
      </Group>
      <Group grow align="flex-start">
        <TextInput label="Payer’s name" {...text('name')} />
        <TextInput
          label="Expires"
          description="After 30 days by default."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          type="datetime-local"
          {...text('expires', 'expiresAt')}
        />
      </Group>
      <Button type="submit" loading={isRunning}>
        Create link
      </Button>
    </Stack>
  );
}

function inputOf({ currency, purpose, phone, email, name, expires }: Typed) {
  return {
    currency,
    purpose: purpose.trim(),
    customer: { phone: phone.trim(), email: email.trim() || null, name: name.trim() || null },
    // The format of the field: the viewer's time without a zone.
    expiresAt: expires === '' ? null : new Date(expires).toISOString(),
  };
}
