import { Button, NumberInput, Radio, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { AmountInput } from '../../../pieces/AmountInput.tsx';
import { readAmount } from '../../../pieces/decimal.ts';
import { NOT_BLANK } from '../../../pieces/not-blank.ts';
import { Refusals } from '../../../pieces/Refusals.tsx';
import { useAction, useOnceKey } from '../../../pieces/use-action.tsx';
import { refusedField } from '../refused-field.ts';
import { ChargeFields, type ChargeFieldsProps } from './ChargeFields.tsx';
import { CURRENCY, NO_PLAN, PLAN_WORDS, type TypedPlan } from './plan-draft.ts';
import { CREATE, type PlanInput } from './plans-query.ts';

/** The API's limit. */
const NAME_CHARACTERS_MAX = 40;
const SHOWN = Object.keys(PLAN_WORDS);

/** Created once, however often it is sent. */
export function PlanForm({ onCreated }: { readonly onCreated: () => void }) {
  const [typed, setTyped] = useState(NO_PLAN);
  const [isTried, setIsTried] = useState(false);
  const once = useOnceKey();
  const { run, isRunning, refusals } = useAction(CREATE, {
    isFormShowing: true,
    once,
    done: 'The plan was created.',
  });
  const change = (part: Partial<TypedPlan>) => {
    setTyped({ ...typed, ...part });
    once.renew();
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setIsTried(true);
    const input = inputOf(typed);
    if (input !== undefined && (await run({ input, key: once.key }))) onCreated();
  };
  const refused = (name: string) => refusedField(refusals, name, PLAN_WORDS);
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={SHOWN} />
      <TextInput
        label="Name"
        description="For example Gold, monthly. Customers see it when they authorize the mandate."
        required
        pattern={NOT_BLANK}
        maxLength={NAME_CHARACTERS_MAX}
        data-autofocus
        value={typed.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        error={refused('name')}
      />
      <Radio.Group
        label="Charged"
        value={typed.type}
        onChange={type => change({ type: type as TypedPlan['type'] })}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="PERIODIC" label="The same amount at regular intervals" />
          <Radio value="ON_DEMAND" label="On demand, up to a maximum amount" />
        </Stack>
      </Radio.Group>
      {typed.type === 'PERIODIC' && (
        <ChargeFields typed={typed} onChange={change} isTried={isTried} refused={refused} />
      )}
      <Limits typed={typed} onChange={change} isTried={isTried} refused={refused} />
      <Button type="submit" loading={isRunning}>
        Create plan
      </Button>
    </Stack>
  );
}

function Limits({ typed, onChange, isTried, refused }: ChargeFieldsProps) {
  return (
    <>
      <AmountInput
        label="Maximum amount of a charge"
        description="Customers authorize charges up to this amount."
        required
        currency={CURRENCY}
        value={typed.maxAmount}
        onChange={maxAmount => onChange({ maxAmount })}
        error={
          isTried && readAmount(typed.maxAmount) === undefined
            ? PLAN_WORDS.maxAmount
            : refused('maxAmount')
        }
      />
      <NumberInput
        label="Maximum number of charges"
        placeholder="Unlimited"
        min={1}
        allowDecimal={false}
        value={typed.maxCycles}
        onChange={value => onChange({ maxCycles: typeof value === 'number' ? value : '' })}
        error={refused('maxCycles')}
      />
    </>
  );
}

/** Undefined while a field is missing or is no amount. */
function inputOf(typed: TypedPlan): PlanInput | undefined {
  const { type, interval, intervals, maxCycles } = typed;
  const maxAmount = readAmount(typed.maxAmount);
  if (maxAmount === undefined) return undefined;
  const all = {
    name: typed.name.trim(),
    type,
    currency: CURRENCY,
    maxAmount,
    maxCycles: maxCycles === '' ? null : maxCycles,
  };
  if (type === 'ON_DEMAND') return all;
  const recurringAmount = readAmount(typed.amount);
  if (recurringAmount === undefined || intervals === '') return undefined;
  return { ...all, recurringAmount, interval, intervals };
}
