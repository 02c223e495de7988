// Reads and writes the gateway's JSON without converting numbers to doubles, because amounts are
// decimals and IDs can have more digits than a double holds. A number is read as its text and written
// as a Decimal. Tags are written in order, which a JavaScript object would not preserve.

/** Names and values in order. A JavaScript object would sort names like `10` first. */
export type TagList = readonly (readonly [name: string, value: string])[];

/** The JSON that was read. Numbers are strings, because an ID is a number in some versions of the
 * gateway's API and a string in others. */
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

/** A JSON number with exactly these digits. */
export class Decimal {
  readonly text: string;
  constructor(text: string) {
    if (!DECIMAL.test(text)) throw new Error('not a decimal');
    this.text = text;
  }
}

/** A JSON object with its members in this order. */
export class Pairs {
  readonly list: TagList;
  constructor(list: TagList) {
    this.list = list;
  }
}

/** Undefined if the text is not JSON. */
export function readExact(text: string): ExactJson | undefined {
  const keepDigits: ReviveWithSource = (_key, value, { source }) =>
    typeof value === 'number' ? source : value;
  try {
    return JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown) as ExactJson;
  } catch {
    return undefined;
  }
}

/** Members that are undefined are omitted. */
export function writeExact(value: WritableJson): string {
  if (value instanceof Decimal) return value.text;
  if (value instanceof Pairs) return objectText(value.list);
  if (Array.isArray(value)) return `[${value.map(writeExact).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return objectText(Object.entries(value as Readonly<Record<string, WritableJson | undefined>>));
}

/** A member of a JSON object; undefined if the value is not an object. */
export function field(json: ExactJson | undefined, name: string): ExactJson | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  return Object.hasOwn(json, name) ? (json as Record<string, ExactJson>)[name] : undefined;
}

/** A non-empty string member. The gateway writes 'null' for a missing value. */
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
