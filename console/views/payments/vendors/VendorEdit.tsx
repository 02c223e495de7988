import { Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { confirm } from '../../../pieces/confirm.tsx';
import { Refusals } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { refusedField } from '../refused-field.ts';
import { BusinessTypeSelect } from './BusinessTypeSelect.tsx';
import { ReceiverFields } from './ReceiverFields.tsx';
import { NO_RECEIVER, receiverOf, type TypedReceiver } from './vendor-receiver.ts';
import { inReceiver, SHOWN, VENDOR_WORDS } from './vendor-words.ts';
import { type ListedVendor, UPDATE } from './vendors-query.ts';

const SAME = 'SAME';

type VendorEditProps = { readonly vendor: ListedVendor; readonly onDone: () => void };

/** Contact details and the account are stored by the gateway only, so they start empty. */
export function VendorEdit({ vendor, onDone }: VendorEditProps) {
  const [typed, setTyped] = useState({ name: vendor.name, email: '', phone: '' });
  const [businessType, setBusinessType] = useState(vendor.businessType);
  /** Undefined while the vendor is paid as before. */
  const [receiver, setReceiver] = useState<TypedReceiver>();
  const { run, isRunning, refusals } = useAction(UPDATE, {
    isFormShowing: true,
    done: 'The vendor was updated.',
  });
  const update = async () => {
    const input = {
      name: typed.name.trim() === vendor.name ? null : typed.name.trim(),
      email: typed.email.trim() || null,
      phone: typed.phone.trim() || null,
      businessType: businessType === vendor.businessType ? null : businessType,
      ...(receiver && receiverOf(receiver)),
    };
    const isChanged = Object.values(input).some(value => value !== null);
    if (!isChanged || (await run({ id: vendor.id, input }))) onDone();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (receiver === undefined) void update();
    else askFirst(vendor, () => void update());
  };
  const refused = (name: string) => refusedField(refusals, name, VENDOR_WORDS);
  const text = (name: keyof typeof typed) => ({
    autoComplete: 'off',
    value: typed[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setTyped({ ...typed, [name]: currentTarget.value }),
    error: refused(name),
  });
  return (
    <Stack component="form" onSubmit={submit}>
      <Refusals refusals={refusals} except={SHOWN} />
      <TextInput label="Name" required data-autofocus {...text('name')} />
      <Group grow align="flex-start">
        <TextInput label="New email" type="email" placeholder="No change" {...text('email')} />
        <TextInput label="New phone" type="tel" placeholder="No change" {...text('phone')} />
      </Group>
      <BusinessTypeSelect
        value={businessType}
        onChange={setBusinessType}
        error={refused('businessType')}
      />
      <PaidTo vendor={vendor} receiver={receiver} onChange={setReceiver} refused={refused} />
      <Button type="submit" loading={isRunning}>
        Save
      </Button>
    </Stack>
  );
}

type PaidToProps = {
  readonly vendor: ListedVendor;
  readonly receiver: TypedReceiver | undefined;
  readonly onChange: (receiver: TypedReceiver | undefined) => void;
  readonly refused: (name: string) => string | undefined;
};

function PaidTo({ vendor, receiver, onChange, refused }: PaidToProps) {
  return (
    <>
      <Radio.Group
        label="Paid to"
        value={receiver?.by ?? SAME}
        onChange={by =>
          onChange(
            by === SAME
              ? undefined
              : { ...(receiver ?? NO_RECEIVER), by: by as TypedReceiver['by'] },
          )
        }
      >
        <Stack gap="xs" mt="xs">
          <Radio value={SAME} label={`${inReceiver(vendor)}, as before`} />
          <Radio value="BANK" label="Another bank account" />
          <Radio value="UPI" label="Another UPI address" />
        </Stack>
      </Radio.Group>
      {receiver && (
        <ReceiverFields
          receiver={receiver}
          onChange={part => onChange({ ...receiver, ...part })}
          refused={refused}
        />
      )}
    </>
  );
}

function askFirst(vendor: ListedVendor, onConfirm: () => void): void {
  confirm({
    title: 'Change where the vendor is paid',
    confirm: 'Change it',
    children: `Payments to “${vendor.name}” go to the new account instead of ${inReceiver(vendor)}.`,
    onConfirm,
  });
}
