// Shared parts of the payment gateway types.

import type { TagList } from '../../schema/values/exact-json.ts';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { expose, memberObject } from '../platform/graph/fields.ts';
import type { InputFields } from '../platform/graph/mutation.ts';

/** A list rather than a JSON object, because an object reorders integer-like names such as `10`. */
export const TagRef = memberObject<TagList[number]>('GatewayTag', {
  description: 'A name and a value that the payment gateway echoes back in its events.',
  fields: t => ({
    name: t.string({
      nullable: false,
      description: 'The name of the tag.',
      resolve: ([name]) => name,
    }),
    value: t.string({
      nullable: false,
      description: 'The value of the tag.',
      resolve: ([, value]) => value,
    }),
  }),
});

export const TagInput = builder.inputType('GatewayTagInput', {
  description:
    'A name and a value that the payment gateway echoes back in its events. The order of tags is preserved.',
  fields: t => ({
    name: t.string({
      required: true,
      description: 'The name: 1 to 40 characters, each a letter, a digit, `.`, `_` or `-`.',
    }),
    value: t.string({
      required: true,
      description:
        'The value. Control characters are removed. If this leaves the value empty, the tag is omitted.',
    }),
  }),
});

/** The contact data of a customer that the payment gateway requires, and a name. */
export const customerFields = (t: InputFields) => ({
  phone: t.string({
    required: true,
    description:
      'The phone number: ten digits, or `+` followed by the country code and the number.',
  }),
  name: t.string({ description: 'The name, at least 3 characters.' }),
});

export const CustomerInput = builder.inputType('GatewayCustomerInput', {
  description:
    'The customer who pays through a payment link. The details are sent to the payment gateway and not stored.',
  fields: t => ({
    ...customerFields(t),
    email: t.string({ description: 'The email address.' }),
  }),
});

export const TAGS =
  'The tags that the payment gateway echoes back, beginning with `workspace_id`, which this service adds.';

export const ORIGIN =
  'If the payment gateway rejects the request, retry with a new idempotency key. If the outcome is unknown, the new object keeps the status CREATING; to resume its creation, repeat the mutation with the same idempotency key.';

const STATUS =
  'The status: CREATING until the payment gateway’s response is known, REFUSED if the gateway rejected the request, and the gateway’s own status in all other cases.';

type Row = {
  readonly id: string;
  readonly createdAt: Date;
  readonly status: string;
  readonly cfId?: string | null | undefined;
  readonly errorCode?: string | null | undefined;
  readonly errorMessage?: string | null | undefined;
  readonly updatedAt: Date;
};

type RowFields = PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, Row>;

/** The fields that all of these types have. */
export function rowFields(fields: unknown, noun: string) {
  // Safe: `fields` builds a wider row that includes every field of Row.
  const t = fields as RowFields;
  return {
    status: t.exposeString('status', { nullable: false, description: STATUS }),
    gatewayId: t.string({
      description: `The payment gateway’s own ID for the ${noun}; null until it is known.`,
      resolve: ({ cfId }) => cfId,
    }),
    ...expose(t, 'String', {
      errorCode: `The error code from the last attempt to create the ${noun}; null if the attempt did not fail.`,
      errorMessage: `The error message from the last attempt to create the ${noun}; null if the attempt did not fail.`,
    }),
    ...expose(t, 'DateTime!', {
      createdAt: `When the creation of the ${noun} was requested.`,
      updatedAt: `When the ${noun} was last updated.`,
    }),
  };
}
