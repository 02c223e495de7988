import type { FieldRef } from '@pothos/core';
import { decimalOf, type Money } from '../money.ts';
import type { SchemaTypes } from './builder.ts';
import { memberObject } from './fields.ts';

export const MoneyRef = memberObject<Money>('Money', {
  description: 'An amount in one currency.',
  fields: t => ({
    amount: t.field({
      type: 'Decimal',
      nullable: false,
      description:
        'The amount in the currency’s main unit, with all of the currency’s decimal places.',
      resolve: decimalOf,
    }),
    currencyCode: t.field({
      type: 'CurrencyCode',
      nullable: false,
      description: 'The currency of the amount.',
      resolve: money => money.currencyCode,
    }),
  }),
});

type NamesOf<Parent, Value> = {
  [Name in keyof Parent]-?: Parent[Name] extends Value ? Name : never;
}[keyof Parent];

/** A field with an amount of the row in the row's currency: `gross: money(t, 'grossMinor', …)`. */
export function money<
  Parent extends { readonly currency: string },
  Nullable extends boolean = false,
>(
  t: PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, Parent>,
  name: NamesOf<Parent, Nullable extends true ? bigint | null | undefined : bigint>,
  { description, nullable, complexity }: MoneyOptions<Nullable>,
) {
  return t.field({
    type: MoneyRef,
    nullable: nullable ?? false,
    description,
    ...(complexity !== undefined && { complexity }),
    resolve: (row: Parent): Money | null => {
      const amountMinor = row[name] as bigint | null | undefined;
      return amountMinor == null ? null : { amountMinor, currencyCode: row.currency };
    },
  } as never) as FieldRef<SchemaTypes, Money | null>;
}

type MoneyOptions<Nullable extends boolean> = {
  readonly description: string;
  readonly nullable?: Nullable;
  readonly complexity?: number;
};
