import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { graphql, type ResultOf, type VariablesOf } from '../../../graph/graphql.ts';
import { Refusals } from '../../../pieces/Refusals.tsx';
import { useAction, useOnceKey } from '../../../pieces/use-action.tsx';
import { CUSTOMER_WORDS, CustomerFields, customerOf, NO_CUSTOMER } from '../CustomerFields.tsx';
import { inMethod } from '../in-method.ts';
import { refusedField } from '../refused-field.ts';
import { PlanSelect } from './PlanSelect.tsx';

const CREATE = graphql(`
  mutation GatewaySubscriptionCreate($input: GatewaySubscriptionCreateInput!, $key: String!) {
    gatewaySubscriptionCreate(input: $input) @idempotent(key: $key) {
      gatewaySubscription { id subscriptionId mandateAuthorizationUrl }
      userErrors { code message field }
    }
  }
`);

export type CreatedSubscription = NonNullable<
  NonNullable<ResultOf<typeof CREATE>['gatewaySubscriptionCreate']>['gatewaySubscription']
>;
type Method = VariablesOf<typeof CREATE>['input']['methods'][number];

const METHODS: readonly Method[] = ['UPI_AUTOPAY', 'CARD', 'ENACH', 'PNACH'];
const WORDS = {
  ...CUSTOMER_WORDS,
  planId: 'Subscriptions to this plan can’t be created. Choose another one.',
  methods: 'Choose at least one method.',
  firstChargeAt: 'Enter a date and time.',
};
const SHOWN = Object.keys(WORDS);
const NOTHING_TYPED = {
  planId: null as string | null,
  customer: NO_CUSTOMER,
  methods: ['UPI_AUTOPAY'] as readonly Method[],
  firstCharge: '',
};
type Typed = typeof NOTHING_TYPED;

type SubscriptionFormProps = { readonly onCreated: (created: CreatedSubscription) => void };

/** Created once, however often it is sent. */
export function SubscriptionForm({ onCreated }: SubscriptionFormProps) {
  const [typed, setTyped] = useState(NOTHING_TYPED);
  const [isTried, setIsTried] = useState(false);
  const once = useOnceKey();
  const { run, isRunning, refusals } = useAction(CREATE, { isFormShowing: true, once });
  const change = (part: Partial<Typed>) => {
    setTyped({ ...typed, ...part });
    once.renew();
  };
  const { planId, customer, methods, firstCharge } = typed;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (planId === null || methods.length === 0) return;
    const input = {
      planId,
      methods: [...methods],
      customer: { ...customerOf(customer), email: customer.email.trim() },
      // The format of the field: the viewer's time without a zone.
      firstChargeAt: firstCharge === '' ? null : new Date(firstCharge).toISOString(),
    };
    const answer = await run({ input, key: once.key });
    const created = answer?.gatewaySubscriptionCreate?.gatewaySubscription;
    if (created) onCreated(created);
  };
  const refused = (name: string) => refusedField(refusals, name, WORDS);
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={SHOWN} />
      <PlanSelect
        planId={planId}
        onChange={chosen => change({ planId: chosen })}
        error={isTried && planId === null ? 'Choose a plan.' : refused('planId')}
      />
      <CustomerFields
        customer={customer}
        isEmailRequired
        onChange={part => change({ customer: { ...customer, ...part } })}
        refusals={refusals}
      />
      <MethodChoice
        methods={methods}
        onChange={chosen => change({ methods: chosen })}
        error={isTried && methods.length === 0 ? WORDS.methods : refused('methods')}
      />
      <TextInput
        label="First charge"
        description="By default, when the customer has authorized the mandate."
        type="datetime-local"
        value={firstCharge}
        onChange={({ currentTarget }) => change({ firstCharge: currentTarget.value })}
        error={refused('firstChargeAt')}
      />
      <Button type="submit" loading={isRunning}>
        Create subscription
      </Button>
    </Stack>
  );
}

type MethodChoiceProps = {
  readonly methods: readonly Method[];
  readonly onChange: (methods: readonly Method[]) => void;
  readonly error: string | undefined;
};

function MethodChoice({ methods, onChange, error }: MethodChoiceProps) {
  return (
    <Checkbox.Group
      label="Methods"
      description="The customer chooses one of them to authorize the mandate."
      value={[...methods]}
      onChange={chosen => onChange(chosen as Method[])}
      error={error}
    >
      <Group mt="xs">
        {METHODS.map(method => (
          <Checkbox key={method} value={method} label={inMethod(method)} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
