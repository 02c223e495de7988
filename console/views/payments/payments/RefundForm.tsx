import { Button, Select, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
import { AmountInput } from '../../../pieces/AmountInput.tsx';
import { confirm } from '../../../pieces/confirm.tsx';
import { readAmount } from '../../../pieces/decimal.ts';
import { inMoney } from '../../../pieces/in-words.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction, useOnceKey } from '../../../pieces/use-action.tsx';
import type { Payment } from './payments-query.ts';

const REFUND = graphql(`
  mutation GatewayRefundCreate($input: GatewayRefundCreateInput!, $key: String!) {
    gatewayRefundCreate(input: $input) @idempotent(key: $key) {
      gatewayRefund { id status amount { amount currencyCode } }
      userErrors { code message field }
    }
  }
`);

const SPEEDS = [
  { value: 'STANDARD', label: 'Within days' },
  { value: 'INSTANT', label: 'At once, where the bank can' },
] as const;
type Speed = (typeof SPEEDS)[number]['value'];

type RefundFormProps = { readonly payment: Payment; readonly onDone: () => void };

/** Money goes back once, however often this is sent: the key is the deed's. */
export function RefundForm({ payment, onDone }: RefundFormProps) {
  const { cfPaymentId, amount } = payment;
  const [typed, setTyped] = useState({ amount: '', note: '' });
  const [speed, setSpeed] = useState<Speed | null>(null);
  const [isAmount, setIsAmount] = useState(true);
  const once = useOnceKey();
  const { run, isRunning, refusals } = useAction(REFUND, {
    isFormShowing: true,
    done: 'The refund is under way.',
    once,
  });
  const change = (part: Partial<typeof typed>) => {
    setTyped({ ...typed, ...part });
    setIsAmount(true);
    once.renew();
  };
  const refund = async (part: string | null) => {
    const note = typed.note.trim() || null;
    const input = { paymentId: cfPaymentId, amount: part, note, speed };
    if (await run({ input, key: once.key })) onDone();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const part = typed.amount.trim() === '' ? null : readAmount(typed.amount);
    if (part === undefined) return setIsAmount(false);
    return confirm({
      title: 'Give the money back',
      confirm: 'Refund it',
      isDangerous: true,
      children: `${part === null ? 'All that is left of the payment' : inMoney(part, amount.currencyCode)} goes back to the payer. This can’t be undone.`,
      onConfirm: () => void refund(part),
    });
  };
  return (
    <Stack component="form" onSubmit={submit}>
      <Refusals refusals={refusals} except={['amount', 'note']} />
      <Text size="sm">
        Of {inMoney(amount.amount, amount.currencyCode)}; never more than is left of it.
      </Text>
      <AmountInput
        label="Amount"
        description="Left empty, all that is left."
        currency={amount.currencyCode}
        value={typed.amount}
        onChange={value => change({ amount: value })}
        error={isAmount ? refusalAt(refusals, 'amount') : 'That is no amount.'}
        data-autofocus
      />
      <Select
        label="How soon"
        placeholder="What the method allows"
        data={SPEEDS}
        value={speed}
        clearable
        clearButtonProps={{ 'aria-label': 'What the method allows' }}
        onChange={value => {
          setSpeed(value as Speed | null);
          once.renew();
        }}
      />
      <TextInput
        label="Note"
        value={typed.note}
        onChange={({ currentTarget }) => change({ note: currentTarget.value })}
        error={refusalAt(refusals, 'note')}
      />
      <Button type="submit" loading={isRunning}>
        Refund
      </Button>
    </Stack>
  );
}
