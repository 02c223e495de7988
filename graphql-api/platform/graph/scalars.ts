// Custom GraphQL scalars. Each rejects input it cannot parse, with a message; none rounds or
// guesses.

import {
  GraphQLError,
  type GraphQLScalarType,
  Kind,
  GraphQLScalarType as ScalarType,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { parseInstant } from '../../../schema/values/instant.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DECIMAL = /^-?(?:0|[1-9]\d{0,29})(?:\.\d{1,18})?$/;
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export const SCALARS: readonly GraphQLScalarType[] = [
  new ScalarType<Date, string>({
    name: 'DateTime',
    description:
      'An ISO 8601 date and time. Output is in UTC with milliseconds; input without a time zone is treated as UTC.',
    serialize: value => (value instanceof Date ? value : unserializable('DateTime')).toISOString(),
    ...fromText('an ISO 8601 time, such as 2026-11-21T09:30:00.000Z', text => {
      const instant = parseInstant(text);
      return instant === undefined ? undefined : new Date(instant.ms);
    }),
  }),
  new ScalarType<string, string>({
    name: 'Date',
    description: 'A calendar date, in the format YYYY-MM-DD.',
    serialize: asText('Date'),
    ...fromText('a day, such as 2026-11-21', text =>
      DATE.test(text) && parseInstant(text) !== undefined ? text : undefined,
    ),
  }),
  new ScalarType<string, string>({
    name: 'Decimal',
    description: 'An exact decimal number as a string, such as "1204.50".',
    serialize: asText('Decimal'),
    ...fromText('a decimal number as a string, such as "1204.50"', text =>
      DECIMAL.test(text) ? text : undefined,
    ),
  }),
  new ScalarType<string, string>({
    name: 'CurrencyCode',
    description: 'A three-letter ISO 4217 currency code, such as INR.',
    serialize: asText('CurrencyCode'),
    ...fromText('a three-letter ISO 4217 currency code, such as INR', text =>
      CURRENCIES.has(text) ? text : undefined,
    ),
  }),
  new ScalarType<unknown, unknown>({
    name: 'JSON',
    description: 'Any JSON value.',
    serialize: value => value,
    parseValue: value => value,
    parseLiteral: valueFromASTUntyped,
  }),
];

type Parsers<T> = {
  readonly parseValue: (value: unknown) => T;
  readonly parseLiteral: (node: ValueNode) => T;
};

function fromText<T>(expected: string, parse: (text: string) => T | undefined): Parsers<T> {
  const read = (value: unknown): T => {
    const parsed = typeof value === 'string' ? parse(value) : undefined;
    if (parsed === undefined) throw new GraphQLError(`Expected ${expected}.`);
    return parsed;
  };
  return {
    parseValue: read,
    parseLiteral: node => read(node.kind === Kind.STRING ? node.value : undefined),
  };
}

function asText(name: string): (value: unknown) => string {
  return value => (typeof value === 'string' ? value : unserializable(name));
}

/** A defect in a resolver. Not a GraphQLError, because clients would see its message. */
function unserializable(name: string): never {
  throw new TypeError(`a resolver returned no ${name}`);
}
