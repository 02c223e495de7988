import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
import { AmountInput } from '../../../pieces/AmountInput.tsx';
import { readAmount } from '../../../pieces/decimal.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';

const REGISTER = graphql(`
  mutation PartnerDealRegister($input: DealRegisterInput!) {
    dealRegister(input: $input) { deal { id status } userErrors { message field } }
  }
`);

type DealFormProps = { readonly currency: string; readonly onDone: () => void };

const NOTHING = { company: '', domain: '', email: '', value: '', notes: '' };
const SHOWN = [
  'prospectCompanyName',
  'prospectDomain',
  'prospectContactEmail',
  'estimatedDealValue',
  'notes',
];

export function DealForm({ currency, onDone }: DealFormProps) {
  const { typed, change, value, submit, isRunning, refusals } = useRegistration(onDone);
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={SHOWN} />
      <TextInput
        label="Company"
        required
        data-autofocus
        value={typed.company}
        onChange={({ currentTarget }) => change({ company: currentTarget.value })}
        error={refusalAt(refusals, 'prospectCompanyName')}
      />
      <TextInput
        label="Domain"
        description="For example acme.com, or the URL of any page of the site."
        required
        value={typed.domain}
        onChange={({ currentTarget }) => change({ domain: currentTarget.value })}
        error={refusalAt(refusals, 'prospectDomain')}
      />
      <TextInput
        label="Contact’s email"
        type="email"
        required
        value={typed.email}
        onChange={({ currentTarget }) => change({ email: currentTarget.value })}
        error={refusalAt(refusals, 'prospectContactEmail')}
      />
      <AmountInput
        label="Estimated value"
        required
        currency={currency}
        value={typed.value}
        onChange={next => change({ value: next })}
        error={refusalAt(refusals, 'estimatedDealValue')}
      />
      <Textarea
        label="Notes"
        autosize
        minRows={2}
        maxRows={8}
        value={typed.notes}
        onChange={({ currentTarget }) => change({ notes: currentTarget.value })}
        error={refusalAt(refusals, 'notes')}
      />
      <Button type="submit" loading={isRunning} disabled={value === undefined}>
        Register deal
      </Button>
    </Stack>
  );
}

function useRegistration(onDone: () => void) {
  const [typed, setTyped] = useState(NOTHING);
  const { run, isRunning, refusals } = useAction(REGISTER, {
    isFormShowing: true,
    done: 'Deal registered. Submit a proof within 14 days.',
  });
  const value = readAmount(typed.value);
  const change = (part: Partial<typeof typed>) => setTyped({ ...typed, ...part });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (value === undefined) return;
    const input = {
      prospectCompanyName: typed.company,
      prospectDomain: typed.domain,
      prospectContactEmail: typed.email.trim(),
      estimatedDealValue: value,
      notes: typed.notes,
    };
    if (await run({ input })) onDone();
  };
  return { typed, change, value, submit, isRunning, refusals };
}
