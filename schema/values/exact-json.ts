// JSON as payment gateways and template approvers read and write it, without losing precision.
// Amounts are decimals, and IDs may have more digits than a double keeps, so numbers never become
// doubles: when read, a number is its source text; when written, it is a decimal. Ingest reads every webhook
// with it, so numbers are quoted before the parser sees them: that takes half the time of a
// reviver that asks for each value's source.

/**
 * Names and values in their order, which a JSON object does not keep: it moves names like `10` to
 * the front.
 */
export type TagList = readonly (readonly [name: string, value: string])[];

/**
 * Numbers and strings look the same when read, because versions of one API differ in which of the
 * two an ID is.
 */
export type ExactJson = string | boolean | null | readonly ExactJson[] | ExactObject;
export type ExactObject = { readonly [name: string]: ExactJson | undefined };

export type WritableJson =
  | string
  | boolean
  | null
  | Raw
  | Pairs
  | readonly WritableJson[]
  | WritableObject;
export type WritableObject = { readonly [name: string]: WritableJson | undefined };

/** JSON text that is written unchanged. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** A JSON number with exactly these digits. */
export class Decimal extends Raw {
  constructor(text: string) {
    if (!DECIMAL.test(text)) throw new Error('not a decimal');
    super(text);
  }
}

/** A JSON object whose names stay in this order. */
export class Pairs {
  readonly list: TagList;
  constructor(list: TagList) {
    this.list = list;
  }
}

/** Undefined if the text is not JSON. */
export function readExact(text: string): ExactJson | undefined {
  try {
    return JSON.parse(text.replace(STRING_OR_NUMBER, quoted)) as ExactJson;
  } catch {
    return undefined;
  }
}

/** Empty if the text is not a JSON object. */
export function readExactObject(text: string): ExactObject {
  return objectField(readExact(text));
}

/** With the colon behind a number, so that a number is not taken for a name. */
const STRING_OR_NUMBER = /"(?:[^"\\]+|\\.)*"?|-?\d[\d.eE+-]*(?:\s*:)?/gs;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function quoted(token: string): string {
  return token.startsWith('"') || !NUMBER.test(token) ? token : `"${token}"`;
}

/** Undefined if there is nothing at the path. */
export function field(
  json: ExactJson | undefined,
  ...path: readonly string[]
): ExactJson | undefined {
  let found = json;
  for (const name of path) {
    if (!isObject(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
}

/** Empty if there is no object at the path. */
export function objectField(json: ExactJson | undefined, ...path: readonly string[]): ExactObject {
  const found = field(json, ...path);
  return isObject(found) ? found : EMPTY;
}

/** A string or a number, as text. Undefined for anything else and for placeholders. */
export function textField(
  json: ExactJson | undefined,
  ...path: readonly string[]
): string | undefined {
  const found = field(json, ...path);
  return typeof found === 'string' && !NOTHING.has(found) ? found : undefined;
}

const EMPTY: ExactObject = {};
/** The text for missing values. */
const NOTHING: ReadonlySet<string> = new Set(['', 'null', 'NA']);

export function isObject(value: ExactJson | undefined): value is ExactObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined members are omitted. */
export function writeExact(value: WritableJson): string {
  if (value instanceof Raw) return value.text;
  if (value instanceof Pairs) return objectText(value.list);
  if (Array.isArray(value)) return `[${value.map(writeExact).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return objectText(Object.entries(value as WritableObject));
}

function objectText(entries: readonly (readonly [string, WritableJson | undefined])[]): string {
  const members = entries.flatMap(([name, value]) =>
    value === undefined ? [] : [`${JSON.stringify(name)}:${writeExact(value)}`],
  );
  return `{${members.join(',')}}`;
}
