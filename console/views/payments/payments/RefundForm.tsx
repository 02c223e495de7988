import { Alert, Button, Select, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
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

const DISPUTED =
  'The payer’s bank may return the money because of the dispute. If you refund it as well, you pay twice.';

type RefundFormProps = { readonly payment: Payment; readonly onDone: () => void };

/** Money goes back once, however often this is sent: the key is the deed's. */
export function RefundForm({ payment, onDone }: RefundFormProps) {
  const { cfPaymentId, isDisputed } = payment;
  // A retry sends the same amount, also when the payment was refetched after the first attempt.
  const [left] = useState(payment.amountRefundable);
  const { currencyCode } = left;
  const [typed, setTyped] = useState({ amount: '', note: '' });
  const [speed, setSpeed] = useState<Speed | null>(null);
  const [isAmount, setIsAmount] = useState(true);
  const once = useOnceKey();
  const { run, isRunning, refusals } = useAction(REFUND, {
    isFormShowing: true,
    once,
    // What is left of it is known by other queries.
    changes: ['GatewayPayment'],
  });
  const change = (part: Partial<typeof typed>) => {
    setTyped({ ...typed, ...part });
    setIsAmount(true);
    once.renew();
  };
  const refund = async (part: string) => {
    const note = typed.note.trim() || null;
    const input = { paymentId: cfPaymentId, amount: part, note, speed };
    const refund = (await run({ input, key: once.key }))?.gatewayRefundCreate?.gatewayRefund;
    if (!refund) return;
    notifications.show({ message: doneWords(refund) });
    onDone();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const part = typed.amount.trim() === '' ? left.amount : readAmount(typed.amount);
    if (part === undefined) return setIsAmount(false);
    return confirm({
      title: 'Give the money back',
      confirm: 'Refund it',
      isDangerous: true,
      children: (
        <>
          {inMoney(part, currencyCode)} goes back to the payer. This can’t be undone.
          {isDisputed && ` ${DISPUTED}`}
        </>
      ),
      onConfirm: () => void refund(part),
    });
  };
  return (
    <Stack component="form" onSubmit={submit}>
      <Refusals refusals={refusals} except={['amount', 'note']} />
      <Refundable payment={payment} />
      <AmountInput
        label="Amount"
        description={`Left empty, all of it: ${inMoney(left.amount, currencyCode)}.`}
        currency={currencyCode}
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

function Refundable({ payment }: Pick<RefundFormProps, 'payment'>) {
  const { amountRefundable, isDisputed } = payment;
  return (
    <>
      {isDisputed && (
        <Alert
          color="yellow"
          variant="outline"
          icon={<IconAlertTriangle />}
          title="Disputed payment"
        >
          {DISPUTED}
        </Alert>
      )}
      <Text size="sm">
        Of {inMoney(amountRefundable.amount, amountRefundable.currencyCode)} left.
      </Text>
    </>
  );
}

type Refund = NonNullable<
  NonNullable<ResultOf<typeof REFUND>['gatewayRefundCreate']>['gatewayRefund']
>;

/** Some have succeeded already. */
function doneWords({ status, amount: { amount, currencyCode } }: Refund): string {
  const money = inMoney(amount, currencyCode);
  return status === 'SUCCESS' ? `${money} was refunded.` : `The refund of ${money} was requested.`;
}
