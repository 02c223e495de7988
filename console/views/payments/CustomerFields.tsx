import { Group, TextInput } from '@mantine/core';
import type { Refusal } from '../../pieces/use-action.tsx';
import { type FieldWords, refusedField } from './refused-field.ts';

export const NO_CUSTOMER = { phone: '', email: '', name: '' };
export type TypedCustomer = typeof NO_CUSTOMER;

export const CUSTOMER_WORDS: FieldWords = {
  phone: 'Enter 10 digits, or + and the country code.',
  email: 'Enter an email address of at most 100 characters.',
  name: 'Enter 3 to 100 characters.',
};

type CustomerFieldsProps = {
  readonly customer: TypedCustomer;
  readonly onChange: (part: Partial<TypedCustomer>) => void;
  readonly refusals: readonly Refusal[];
  readonly isEmailRequired?: boolean;
};

/** Sent to the gateway and not stored. */
export function CustomerFields(props: CustomerFieldsProps) {
  const { customer, onChange, refusals, isEmailRequired = false } = props;
  const text = (name: keyof TypedCustomer) => ({
    autoComplete: 'off',
    value: customer[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      onChange({ [name]: currentTarget.value }),
    error: refusedField(refusals, name, CUSTOMER_WORDS),
  });
  return (
    <>
      <Group grow align="flex-start">
        <TextInput label="Customer’s phone" type="tel" required {...text('phone')} />
        <TextInput
          label="Customer’s email"
          type="email"
          required={isEmailRequired}
          {...text('email')}
        />
      </Group>
      <TextInput label="Customer’s name" {...text('name')} />
    </>
  );
}

export function customerOf({ phone, email, name }: TypedCustomer) {
  return { phone: phone.trim(), email: email.trim() || null, name: name.trim() || null };
}
