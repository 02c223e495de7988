import { Button, Group, Stack, Text } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
import { AmountInput } from '../../../pieces/AmountInput.tsx';
import { confirm } from '../../../pieces/confirm.tsx';
import { asTyped, readAmount } from '../../../pieces/decimal.ts';
import { inMoney } from '../../../pieces/in-words.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction, useOnceKey } from '../../../pieces/use-action.tsx';

const CONVERT = graphql(`
  mutation PartnerConvert($input: CreditsToCashInput!, $key: String!) {
    creditsToCash(input: $input) @idempotent(key: $key) {
      conversion { id eligibleAt amount { amount currencyCode } }
      userErrors { message field }
    }
  }
`);

type ConvertFormProps = {
  readonly balance: { readonly amount: string; readonly currencyCode: string };
  readonly onDone: () => void;
};

export function ConvertForm({ balance, onDone }: ConvertFormProps) {
  const [typed, setTyped] = useState('');
  const { key, renew } = useOnceKey();
  const { run, isRunning, refusals } = useAction(CONVERT, {
    isFormShowing: true,
    done: 'Credits converted to cash.',
  });
  const amount = readAmount(typed);
  const change = (next: string) => {
    setTyped(next);
    renew();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (amount === undefined) return;
    const convert = async () => {
      if (await run({ input: { requestedAmount: amount }, key })) onDone();
    };
    confirm({
      title: `Convert ${inMoney(amount, balance.currencyCode)} to cash`,
      confirm: 'Convert credits',
      children: 'Cash can’t be converted back to credits.',
      onConfirm: () => void convert(),
    });
  };
  return (
    <Stack component="form" onSubmit={submit}>
      <Text size="sm" c="dimmed">
        Converted 1:1. The cash can be paid out only after the same waiting period as commissions,
        which starts now. This can’t be undone.
      </Text>
      <Refusals refusals={refusals} except={['requestedAmount']} />
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <AmountInput
          label="Credits"
          flex={1}
          required
          data-autofocus
          currency={balance.currencyCode}
          value={typed}
          onChange={change}
          error={refusalAt(refusals, 'requestedAmount')}
        />
        <Button variant="default" onClick={() => change(asTyped(balance.amount))}>
          All
        </Button>
      </Group>
      <Button type="submit" loading={isRunning} disabled={amount === undefined}>
        {amount === undefined
          ? 'Convert to cash'
          : `Convert ${inMoney(amount, balance.currencyCode)} to cash`}
      </Button>
    </Stack>
  );
}
