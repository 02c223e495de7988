import { Button, Group, Radio, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Refusals } from '../../../pieces/Refusals.tsx';
import { useAction, useOnceKey } from '../../../pieces/use-action.tsx';
import { refusedField } from '../refused-field.ts';
import { BusinessTypeSelect } from './BusinessTypeSelect.tsx';
import { ReceiverFields } from './ReceiverFields.tsx';
import { NO_RECEIVER, receiverOf, type TypedReceiver } from './vendor-receiver.ts';
import { SHOWN, VENDOR_WORDS } from './vendor-words.ts';
import { type AccountType, CREATE } from './vendors-query.ts';

const NO_TEXTS = { name: '', email: '', phone: '', pan: '', gstin: '' };
type Texts = typeof NO_TEXTS;
type Typed = Texts & {
  readonly businessType: string | null;
  readonly accountType: AccountType;
  readonly receiver: TypedReceiver;
};
const NOTHING_TYPED: Typed = {
  ...NO_TEXTS,
  businessType: null,
  accountType: 'BUSINESS',
  receiver: NO_RECEIVER,
};

/** Created once, however often it is sent. */
export function VendorForm({ onCreated }: { readonly onCreated: () => void }) {
  const [typed, setTyped] = useState(NOTHING_TYPED);
  const [isTried, setIsTried] = useState(false);
  const once = useOnceKey();
  const { run, isRunning, refusals } = useAction(CREATE, {
    isFormShowing: true,
    once,
    done: 'The vendor was created.',
  });
  const change = (part: Partial<Typed>) => {
    setTyped({ ...typed, ...part });
    once.renew();
  };
  const { receiver, businessType, accountType } = typed;
  const changeReceiver = (part: Partial<TypedReceiver>) =>
    change({ receiver: { ...receiver, ...part } });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (businessType === null) return;
    const input = { ...inputOf(typed), businessType, accountType, ...receiverOf(receiver) };
    if (await run({ input, key: once.key })) onCreated();
  };
  const refused = (name: string) => refusedField(refusals, name, VENDOR_WORDS);
  const text = (name: keyof Texts) => ({
    autoComplete: 'off',
    value: typed[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      change({ [name]: currentTarget.value }),
    error: refused(name),
  });
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={SHOWN} />
      <TextInput label="Name" required data-autofocus {...text('name')} />
      <Group grow align="flex-start">
        <TextInput label="Email" type="email" required {...text('email')} />
        <TextInput label="Phone" type="tel" required {...text('phone')} />
      </Group>
      <Business typed={typed} text={text} onChange={change} isTried={isTried} refused={refused} />
      <Radio.Group
        label="Paid to"
        value={receiver.by}
        onChange={by => changeReceiver({ by: by as TypedReceiver['by'] })}
      >
        <Group mt="xs">
          <Radio value="BANK" label="Bank account" />
          <Radio value="UPI" label="UPI address" />
        </Group>
      </Radio.Group>
      <ReceiverFields receiver={receiver} onChange={changeReceiver} refused={refused} />
      <Button type="submit" loading={isRunning}>
        Create vendor
      </Button>
    </Stack>
  );
}

type BusinessProps = {
  readonly typed: Typed;
  readonly text: (name: keyof Texts) => TextInputProps;
  readonly onChange: (part: Partial<Typed>) => void;
  readonly isTried: boolean;
  readonly refused: (name: string) => string | undefined;
};

function Business({ typed, text, onChange, isTried, refused }: BusinessProps) {
  const { businessType, accountType } = typed;
  return (
    <>
      <Radio.Group
        label="Legal form"
        value={accountType}
        onChange={value => onChange({ accountType: value as AccountType })}
        error={refused('accountType')}
      >
        <Group mt="xs">
          <Radio value="BUSINESS" label="Business" />
          <Radio value="INDIVIDUAL" label="Individual" />
        </Group>
      </Radio.Group>
      <BusinessTypeSelect
        value={businessType}
        onChange={chosen => onChange({ businessType: chosen })}
        error={
          isTried && businessType === null ? 'Choose a business type.' : refused('businessType')
        }
      />
      <Group grow align="flex-start">
        <TextInput label="PAN" required {...text('pan')} />
        <TextInput label="GSTIN" {...text('gstin')} />
      </Group>
    </>
  );
}

function inputOf({ name, email, phone, pan, gstin }: Texts) {
  return {
    name: name.trim(),
    email: email.trim(),
    phone: phone.trim(),
    pan: pan.trim(),
    gstin: gstin.trim() || null,
  };
}
