// What the nouns of the payment gateway have in common.

import type { ObjectRef } from '@pothos/core';
import type { Context } from '../platform/context.ts';
import type { Page, PageRequest } from '../platform/database/page.ts';
import type { TagList } from '../platform/exact-json.ts';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';

/** By their places in the list: an object of JSON would sort names like `10`. */
export const TagRef = builder.objectRef<TagList[number]>('GatewayTag').implement({
  description: 'A name and a value that the payment gateway echoes.',
  authScopes: { member: true },
  fields: t => ({
    name: t.string({ nullable: false, description: 'The name.', resolve: ([name]) => name }),
    value: t.string({ nullable: false, description: 'The value.', resolve: ([, value]) => value }),
  }),
});

export const TagInput = builder.inputType('GatewayTagInput', {
  description: 'A name and a value for the payment gateway to echo; they stay in their order.',
  fields: t => ({
    name: t.string({ required: true, description: '1 to 40 letters, digits, and . _ -' }),
    value: t.string({
      required: true,
      description: 'Control characters are taken out; a tag whose value comes to nothing too.',
    }),
  }),
});

export const CustomerInput = builder.inputType('GatewayCustomerInput', {
  description: 'Whom the payment gateway asks for money. Passed on, and not kept here.',
  fields: t => ({
    phone: t.string({ required: true, description: 'Ten digits, or + and the country’s code.' }),
    email: t.string({ description: 'The email address.' }),
    name: t.string({ description: 'The name, of at least 3 characters.' }),
  }),
});

export const ORIGIN =
  'What is refused by the payment gateway can be asked for again, with a new key. An unknown outcome leaves it in CREATING, and a repeat with the same key takes it up again.';

export const STATUS =
  'CREATING until the gateway’s answer is known, REFUSED where it said no; else the gateway’s own word.';

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

/** The fields that all of them have. */
export function rowFields(fields: unknown) {
  // A builder of a wider row: what it reads, every one of them has.
  const t = fields as RowFields;
  return {
    status: t.exposeString('status', { nullable: false, description: STATUS }),
    gatewayId: t.string({
      description: 'The payment gateway’s own id, once it gave one.',
      resolve: ({ cfId }) => cfId,
    }),
    errorCode: t.string({
      description: 'Why the last call came to nothing: the gateway’s code.',
      resolve: ({ errorCode }) => errorCode,
    }),
    errorMessage: t.string({
      description: 'The same in the gateway’s words.',
      resolve: ({ errorMessage }) => errorMessage,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was asked for.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When anything of it changed last.',
    }),
  };
}

type ListOptions<T> = {
  /** Of the query: `gatewayLinks`. */
  readonly name: string;
  readonly typeName: string;
  readonly ref: ObjectRef<SchemaTypes, T>;
  readonly description: string;
  readonly page: (context: Context, page: PageRequest) => Promise<Page<T>>;
};

/** The list of the viewer's workspace. */
export function listOf<T extends Row>({ name, typeName, ref, description, page }: ListOptions<T>) {
  const connection = connectionType(typeName, ref);
  builder.queryField(name, t =>
    t.field({
      type: connection,
      nullable: false,
      description,
      authScopes: { member: true },
      args: pageArgs(t.arg),
      complexity: pageCost,
      resolve: async (_root, request, { context }) =>
        connectionOfPage(await page(context, request), request),
    }),
  );
  return connection;
}
