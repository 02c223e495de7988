import { decimalOf, type Money } from '../../../schema/values/money.ts';
import { builder } from './builder.ts';

export const MoneyRef = builder.objectRef<Money>('Money').implement({
  description: 'An amount in one currency.',
  authScopes: { member: true },
  fields: t => ({
    amount: t.field({
      type: 'Decimal',
      nullable: false,
      description: 'The amount in the currency’s main unit, with all of the currency’s decimals.',
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
