import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
import { AmountInput } from '../../../pieces/AmountInput.tsx';
import { confirm } from '../../../pieces/confirm.tsx';
import { readAmount } from '../../../pieces/decimal.ts';
import { inMoney } from '../../../pieces/in-words.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction, useOnceKey } from '../../../pieces/use-action.tsx';

const REDEEM = graphql(`
  mutation PartnerRedeem($input: CreditsRedeemInput!, $key: String!) {
    creditsRedeem(input: $input) @idempotent(key: $key) {
      redemption { id status amount { amount currencyCode } }
      userErrors { message field }
    }
  }
`);

type Balance = { readonly amount: string; readonly currencyCode: string };
type RedeemFormProps = { readonly balance: Balance; readonly onDone: () => void };

const SHOWN = ['invoiceId', 'invoiceTotal', 'requestedAmount'];

export function RedeemForm({ balance, onDone }: RedeemFormProps) {
  const redemption = useRedemption(balance, onDone);
  const { typed, change, amount, isWhole, submit, isRunning, refusals } = redemption;
  return (
    <Stack component="form" onSubmit={submit}>
      <Text size="sm" c="dimmed">
        Credits can pay up to half of an invoice. If the invoice is not registered yet, the credits
        are reserved for it.
      </Text>
      <Refusals refusals={refusals} except={SHOWN} />
      <TextInput
        label="Invoice number"
        required
        data-autofocus
        value={typed.invoiceId}
        onChange={({ currentTarget }) => change({ invoiceId: currentTarget.value })}
        error={refusalAt(refusals, 'invoiceId')}
      />
      <AmountInput
        label="Invoice total"
        required
        currency={balance.currencyCode}
        value={typed.total}
        onChange={next => change({ total: next })}
        error={refusalAt(refusals, 'invoiceTotal')}
      />
      <AmountInput
        label="Credits to apply"
        description={`You have ${inMoney(balance.amount, balance.currencyCode)}.`}
        required
        currency={balance.currencyCode}
        value={typed.amount}
        onChange={next => change({ amount: next })}
        error={refusalAt(refusals, 'requestedAmount')}
      />
      <Button type="submit" loading={isRunning} disabled={!isWhole}>
        {amount === undefined ? 'Apply' : `Apply ${inMoney(amount, balance.currencyCode)}`}
      </Button>
    </Stack>
  );
}

function useRedemption(balance: Balance, onDone: () => void) {
  const [typed, setTyped] = useState({ invoiceId: '', total: '', amount: '' });
  const { key, renew } = useOnceKey();
  const { run, isRunning, refusals } = useAction(REDEEM, {
    isFormShowing: true,
    done: 'Credits applied to the invoice.',
  });
  const [total, amount] = [readAmount(typed.total), readAmount(typed.amount)];
  const isWhole = typed.invoiceId.trim() !== '' && total !== undefined && amount !== undefined;
  const change = (part: Partial<typeof typed>) => {
    setTyped({ ...typed, ...part });
    // Another amount is a separate action.
    renew();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isWhole) return;
    const input = {
      invoiceId: typed.invoiceId.trim(),
      invoiceTotal: total,
      requestedAmount: amount,
    };
    const spend = async () => {
      if (await run({ input, key })) onDone();
    };
    confirm({
      title: `Apply ${inMoney(amount, balance.currencyCode)}`,
      confirm: 'Apply credits',
      children: `The credits pay part of invoice ${input.invoiceId}.`,
      onConfirm: () => void spend(),
    });
  };
  return { typed, change, amount, isWhole, submit, isRunning, refusals };
}
