import { Alert, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { AmountInput } from '../../../pieces/AmountInput.tsx';
import { confirm } from '../../../pieces/confirm.tsx';
import { useClose } from '../../../pieces/Dialog.tsx';
import { isMore, isZero, readAmount } from '../../../pieces/decimal.ts';
import { exampleAmount, inMoney } from '../../../pieces/in-words.ts';
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
  { value: 'STANDARD', label: 'Standard: within days' },
  { value: 'INSTANT', label: 'Instant, if the bank supports it' },
] as const;
type Speed = (typeof SPEEDS)[number]['value'];
const ANY_SPEED = 'Default for the payment method';

const DISPUTED =
  'The payer’s bank may return the money because of the dispute. If you refund it as well, you pay twice.';

type RefundFormProps = { readonly payment: Payment; readonly onDone: () => void };

/** Money goes back once, however often this is sent: the key is the deed's. */
export function RefundForm({ payment, onDone }: RefundFormProps) {
  const { typed, change, wrong, submit, isRunning, refusals } = useRefund(payment, onDone);
  const { currencyCode } = payment.amount;
  const close = useClose();
  return (
    <Stack component="form" onSubmit={submit}>
      <Refusals refusals={refusals} except={['amount', 'note']} />
      <Refundable payment={payment} />
      <AmountInput
        label="Amount"
        description="Leave it empty to refund all that is left."
        currency={currencyCode}
        value={typed.amount}
        onChange={amount => change({ amount })}
        error={wrong ?? refusalAt(refusals, 'amount')}
        data-autofocus
      />
      <Select
        label="Speed"
        placeholder={ANY_SPEED}
        data={SPEEDS}
        value={typed.speed}
        clearable
        clearButtonProps={{ 'aria-label': ANY_SPEED }}
        onChange={speed => change({ speed: speed as Speed | null })}
      />
      <TextInput
        label="Note"
        value={typed.note}
        onChange={({ currentTarget }) => change({ note: currentTarget.value })}
        error={refusalAt(refusals, 'note')}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button type="submit" loading={isRunning}>
          Continue
        </Button>
      </Group>
    </Stack>
  );
}

type Typed = { readonly amount: string; readonly note: string; readonly speed: Speed | null };

function useRefund(payment: Payment, onDone: () => void) {
  // A retry sends the same amount, also when the payment was refetched after the first attempt.
  const [left] = useState(payment.amountRefundable);
  const [typed, setTyped] = useState<Typed>({ amount: '', note: '', speed: null });
  const [wrong, setWrong] = useState<string>();
  const once = useOnceKey();
  const { run, isRunning, refusals } = useAction(REFUND, {
    isFormShowing: true,
    once,
    // What is left of it is known by other queries.
    changes: ['GatewayPayment'],
  });
  const read = typed.amount.trim() === '' ? left.amount : readAmount(typed.amount);
  const part = read !== undefined && !isMore(read, left.amount) ? read : undefined;
  const change = (changed: Partial<Typed>) => {
    setTyped({ ...typed, ...changed });
    setWrong(undefined);
    once.renew();
  };
  const refund = async (amount: string) => {
    const note = typed.note.trim() || null;
    const input = { paymentId: payment.cfPaymentId, amount, note, speed: typed.speed };
    const refund = (await run({ input, key: once.key }))?.gatewayRefundCreate?.gatewayRefund;
    if (!refund) return;
    notifications.show({ message: doneWords(refund) });
    onDone();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (part === undefined) return setWrong(wrongAmount(read, left));
    return confirm({
      title: `${refundWords(part, payment)}?`,
      confirm: refundWords(part, payment),
      isDangerous: true,
      children: (
        <>
          {partInWords(payment, part, left.amount)} goes back to the payer. This can’t be undone.
          {payment.isDisputed && ` ${DISPUTED}`}
        </>
      ),
      onConfirm: () => void refund(part),
    });
  };
  return { typed, change, wrong, submit, isRunning, refusals };
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
        {inMoney(amountRefundable.amount, amountRefundable.currencyCode)} is left to refund.
      </Text>
    </>
  );
}

function wrongAmount(part: string | undefined, left: Payment['amountRefundable']): string {
  if (part === undefined) return `Enter an amount, such as ${exampleAmount()}.`;
  return `At most ${inMoney(left.amount, left.currencyCode)} is left to refund.`;
}

const refundWords = (part: string, { amount }: Payment) =>
  `Refund ${inMoney(part, amount.currencyCode)}`;

/** "₹250.00 (all of it) of “Order 1042”" */
function partInWords(payment: Payment, part: string, left: string): string {
  const { amount, amountRefunded, cfPaymentId, link, order } = payment;
  const money = inMoney(part, amount.currencyCode);
  const name = link?.purpose ?? order?.note;
  const of = name == null ? `payment ${cfPaymentId}` : `“${name}”`;
  if (isMore(left, part)) return `${money} of ${of}`;
  const isWhole = isZero(amountRefunded.amount) && !isMore(amount.amount, left);
  return `${money} (${isWhole ? 'all of it' : 'all that is left'}) of ${of}`;
}

type Refund = NonNullable<
  NonNullable<ResultOf<typeof REFUND>['gatewayRefundCreate']>['gatewayRefund']
>;

/** Some have succeeded already. */
function doneWords({ status, amount: { amount, currencyCode } }: Refund): string {
  const money = inMoney(amount, currencyCode);
  return status === 'SUCCESS' ? `${money} was refunded.` : `The refund of ${money} was requested.`;
}
