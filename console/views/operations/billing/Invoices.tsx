import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
import { AmountInput } from '../../../pieces/AmountInput.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { confirm } from '../../../pieces/confirm.tsx';
import { readAmount } from '../../../pieces/decimal.ts';
import { inMoney } from '../../../pieces/in-words.ts';
import { NOT_BLANK } from '../../../pieces/not-blank.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { type ChosenOrganization, OrganizationSelect } from '../OrganizationSelect.tsx';
import { CurrencySelect, DEFAULT_CURRENCY } from './CurrencySelect.tsx';

const REGISTER = graphql(`
  mutation InvoiceRegister($input: InvoiceRegisterInput!) {
    invoiceRegister(input: $input) { invoiceId userErrors { code message field } }
  }
`);

const CHANNELS = [
  { value: 'SMS', label: 'SMS' },
  { value: 'MESSAGING_APP', label: 'Messaging app' },
  { value: 'RCS', label: 'RCS' },
  { value: 'EMAIL', label: 'Email' },
] as const;
type Channel = (typeof CHANNELS)[number]['value'];

const NUMBER_CHARACTERS_MAX = 255;
const NOTHING_TYPED = { number: '', total: '', currency: DEFAULT_CURRENCY };
const SHOWN = ['organizationId', 'invoiceId', 'total', 'currency', 'channel'];

/** Registers invoices of the platform. The API has no list of invoices, and a repeat changes nothing. */
export default function Invoices() {
  const [organization, setOrganization] = useState<ChosenOrganization | null>(null);
  const [channel, setChannel] = useState<Channel | null>(null);
  const [typed, setTyped] = useState(NOTHING_TYPED);
  const { run, isRunning, refusals } = useAction(REGISTER, {
    isFormShowing: true,
    done: `Invoice ${typed.number} was registered.`,
    messages: {
      INVOICE_ALREADY_REGISTERED: 'This number is already registered with other values.',
    },
  });
  const total = readAmount(typed.total);
  const change = (part: Partial<typeof typed>) => setTyped({ ...typed, ...part });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (organization === null || total === undefined) return;
    const { currency } = typed;
    const invoiceId = typed.number.trim();
    confirm({
      title: `Register invoice ${invoiceId}`,
      confirm: 'Register invoice',
      children: `${inMoney(total, currency)} for “${organization.name}”. Credits reserved for this invoice are spent on it if they don’t exceed its limit; otherwise they are released. A registered invoice can’t be changed.`,
      onConfirm: () =>
        void run({
          input: { organizationId: organization.id, invoiceId, total, currency, channel },
        }).then(isRegistered => isRegistered && setTyped({ ...NOTHING_TYPED, currency })),
    });
  };
  return (
    <Card title="Register an invoice">
      <Stack component="form" onSubmit={submit} maw={640}>
        <Refusals refusals={refusals} except={SHOWN} />
        <OrganizationSelect
          isRequired
          value={organization}
          onChange={setOrganization}
          error={refusalAt(refusals, 'organizationId')}
        />
        <TextInput
          label="Invoice number"
          required
          pattern={NOT_BLANK}
          maxLength={NUMBER_CHARACTERS_MAX}
          value={typed.number}
          onChange={({ currentTarget }) => change({ number: currentTarget.value })}
          error={refusalAt(refusals, 'invoiceId')}
        />
        <Group grow align="flex-start">
          <AmountInput
            label="Total"
            required
            currency={typed.currency}
            value={typed.total}
            onChange={value => change({ total: value })}
            error={refusalAt(refusals, 'total')}
          />
          <CurrencySelect
            value={typed.currency}
            onChange={currency => change({ currency })}
            error={refusalAt(refusals, 'currency')}
          />
        </Group>
        <Select
          label="Passes on costs of"
          description="Credits can’t be redeemed on such an invoice."
          placeholder="None"
          data={CHANNELS}
          clearable
          value={channel}
          onChange={value => setChannel(value as Channel | null)}
          error={refusalAt(refusals, 'channel')}
        />
        <Group>
          <Button type="submit" loading={isRunning}>
            Register
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}
