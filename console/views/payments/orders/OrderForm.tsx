import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { AmountInput } from '../../../pieces/AmountInput.tsx';
import { readAmount } from '../../../pieces/decimal.ts';
import { Refusals } from '../../../pieces/Refusals.tsx';
import { useAction, useOnceKey } from '../../../pieces/use-action.tsx';
import { CUSTOMER_WORDS, CustomerFields, customerOf, NO_CUSTOMER } from '../CustomerFields.tsx';
import { refusedField } from '../refused-field.ts';
import { CurrencySelect } from './CurrencySelect.tsx';
import { SplitFields } from './SplitFields.tsx';
import { type SplitDraft, splitsOf } from './split-draft.ts';

const CREATE = graphql(`
  mutation GatewayOrderCreate($input: GatewayOrderCreateInput!, $key: String!) {
    gatewayOrderCreate(input: $input) @idempotent(key: $key) {
      gatewayOrder { id orderId paymentSessionId }
      userErrors { code message field }
    }
  }
`);

export type CreatedOrder = NonNullable<
  NonNullable<ResultOf<typeof CREATE>['gatewayOrderCreate']>['gatewayOrder']
>;

const WORDS = {
  ...CUSTOMER_WORDS,
  amount: 'Enter an amount, with no more decimals than the currency has.',
  currency: 'Choose another currency.',
  id: 'Enter 3 to 50 letters, digits, underscores or hyphens.',
  note: 'Enter 3 to 200 characters.',
};
const SHOWN = [...Object.keys(WORDS), 'splits'];
const NOTHING_TYPED = {
  amount: '',
  currency: 'INR',
  customerId: '',
  customer: NO_CUSTOMER,
  note: '',
  splits: [] as readonly SplitDraft[],
};
type Typed = typeof NOTHING_TYPED;

type OrderFormProps = { readonly onCreated: (created: CreatedOrder) => void };

/** Created once, however often it is sent. */
export function OrderForm({ onCreated }: OrderFormProps) {
  const [typed, setTyped] = useState(NOTHING_TYPED);
  const [isTried, setIsTried] = useState(false);
  const once = useOnceKey();
  const { run, isRunning, refusals } = useAction(CREATE, { isFormShowing: true, once });
  const change = (part: Partial<Typed>) => {
    setTyped({ ...typed, ...part });
    once.renew();
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setIsTried(true);
    const input = inputOf(typed);
    if (input === undefined) return;
    const created = (await run({ input, key: once.key }))?.gatewayOrderCreate?.gatewayOrder;
    if (created) onCreated(created);
  };
  const refused = (name: string) => refusedField(refusals, name, WORDS);
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={SHOWN} />
      <AmountFields typed={typed} onChange={change} isTried={isTried} refused={refused} />
      <TextInput
        label="Customer ID"
        description="The ID of the customer in your shop."
        required
        autoComplete="off"
        value={typed.customerId}
        onChange={({ currentTarget }) => change({ customerId: currentTarget.value })}
        error={refused('id')}
      />
      <CustomerFields
        customer={typed.customer}
        onChange={part => change({ customer: { ...typed.customer, ...part } })}
        refusals={refusals}
      />
      <TextInput
        label="Note"
        value={typed.note}
        onChange={({ currentTarget }) => change({ note: currentTarget.value })}
        error={refused('note')}
      />
      <SplitFields
        splits={typed.splits}
        currency={typed.currency}
        onChange={splits => change({ splits })}
        isTried={isTried}
        refusals={refusals}
      />
      <Button type="submit" loading={isRunning}>
        Create order
      </Button>
    </Stack>
  );
}

/** Undefined while a field is missing or is no amount. */
function inputOf({ currency, customer, customerId, note, ...typed }: Typed) {
  const [amount, splits] = [readAmount(typed.amount), splitsOf(typed.splits)];
  if (amount === undefined || splits === undefined) return undefined;
  return {
    amount,
    currency,
    customer: { ...customerOf(customer), id: customerId.trim() },
    note: note.trim() || null,
    splits,
  };
}

type AmountFieldsProps = {
  readonly typed: Typed;
  readonly onChange: (part: Partial<Typed>) => void;
  readonly isTried: boolean;
  readonly refused: (name: string) => string | undefined;
};

function AmountFields({ typed, onChange, isTried, refused }: AmountFieldsProps) {
  const isMissing = isTried && readAmount(typed.amount) === undefined;
  return (
    <Group grow align="flex-start">
      <AmountInput
        label="Amount"
        required
        currency={typed.currency}
        value={typed.amount}
        onChange={amount => onChange({ amount })}
        error={isMissing ? 'Enter an amount.' : refused('amount')}
        data-autofocus
      />
      <CurrencySelect
        value={typed.currency}
        onChange={currency => onChange({ currency })}
        error={refused('currency')}
      />
    </Group>
  );
}
