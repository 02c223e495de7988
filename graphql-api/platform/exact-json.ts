// JSON as the gateway writes and reads it. Amounts are decimals and ids may have more digits than a
// double keeps, so numbers never become one: read, each is its own text; written, they are decimals.
// Tags are written in their order, which an object of JavaScript would not keep.

/** Names and values in their order, which a JSON object does not keep: it sorts names like `10`. */
export type TagList = readonly (readonly [name: string, value: string])[];

/** What was read: a number and a string look the same, since the gateway's versions differ in which
 * of the two an id is. */
export type ExactJson =
  | string
  | boolean
  | null
  | readonly ExactJson[]
  | { readonly [name: string]: ExactJson };

export type WritableJson =
  | string
  | boolean
  | null
  | Decimal
  | Pairs
  | readonly WritableJson[]
  | { readonly [name: string]: WritableJson | undefined };

type ReviveWithSource = (key: string, value: unknown, context: { source: string }) => unknown;

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** A JSON number, with just these digits. */
export class Decimal {
  readonly text: string;
  constructor(text: string) {
    if (!DECIMAL.test(text)) throw new Error('not a decimal');
    this.text = text;
  }
}

/** A JSON object whose names stay in this order. */
export class Pairs {
  readonly list: TagList;
  constructor(list: TagList) {
    this.list = list;
  }
}

/** Undefined where it is no JSON. */
export function readExact(text: string): ExactJson | undefined {
  const keepDigits: ReviveWithSource = (_key, value, { source }) =>
    typeof value === 'number' ? source : value;
  try {
    return JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown) as ExactJson;
  } catch {
    return undefined;
  }
}

/** What is undefined is left out. */
export function writeExact(value: WritableJson): string {
  if (value instanceof Decimal) return value.text;
  if (value instanceof Pairs) return objectText(value.list);
  if (Array.isArray(value)) return `[${value.map(writeExact).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return objectText(Object.entries(value as Readonly<Record<string, WritableJson | undefined>>));
}

/** A field of what should be an object. */
export function field(json: ExactJson | undefined, name: string): ExactJson | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  return Object.hasOwn(json, name) ? (json as Record<string, ExactJson>)[name] : undefined;
}

/** The same as text: undefined for what is empty, and for what the gateway writes for nothing. */
export function textField(json: ExactJson | undefined, name: string): string | undefined {
  const value = field(json, name);
  if (typeof value !== 'string' || value === '' || value === 'null') return undefined;
  return value;
}

function objectText(entries: readonly (readonly [string, WritableJson | undefined])[]): string {
  const members = entries.flatMap(([name, value]) =>
    value === undefined ? [] : [`${JSON.stringify(name)}:${writeExact(value)}`],
  );
  return `{${members.join(',')}}`;
}
