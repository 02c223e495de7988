import { Group, TextInput } from '@mantine/core';
import type { TypedReceiver } from './vendor-receiver.ts';

type ReceiverFieldsProps = {
  readonly receiver: TypedReceiver;
  readonly onChange: (part: Partial<TypedReceiver>) => void;
  readonly refused: (name: string) => string | undefined;
};

/** A bank account or a UPI address. The full number is stored by the gateway only. */
export function ReceiverFields({ receiver, onChange, refused }: ReceiverFieldsProps) {
  const text = (name: Exclude<keyof TypedReceiver, 'by'>) => ({
    required: true,
    autoComplete: 'off',
    value: receiver[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      onChange({ [name]: currentTarget.value }),
    error: refused(name),
  });
  return (
    <>
      {receiver.by === 'UPI' ? (
        <TextInput label="UPI address" placeholder="name@bank" {...text('vpa')} />
      ) : (
        <Group grow align="flex-start">
          <TextInput label="Account number" inputMode="numeric" {...text('accountNumber')} />
          <TextInput label="IFSC" placeholder="HDFC0001234" {...text('ifsc')} />
        </Group>
      )}
      <TextInput
        label="Account holder"
        description="The name that the bank has on record."
        {...text('accountHolder')}
      />
    </>
  );
}
