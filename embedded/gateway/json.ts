// Lossless JSON: amounts with two decimals, IDs beyond the precision of a double, and tags in their
// original order.

/** A fragment that is written to the JSON unchanged. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Json = string | boolean | null | undefined | Raw | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };

/** A parsed body, with numbers as their source text. */
export type Given = { readonly [name: string]: unknown };

export function jsonText(value: Json): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(jsonText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value as JsonObject).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`).join(',')}}`;
}

/** Undefined if the text is not a JSON object. */
export function readGiven(text: string): Given | undefined {
  const keepDigits = (_key: string, value: unknown, { source }: { source: string }) =>
    typeof value === 'number' ? source : value;
  try {
    const value: unknown = JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown);
    return typeof value === 'object' && value !== null ? (value as Given) : undefined;
  } catch {
    return undefined;
  }
}

export function objectIn(given: Given, name: string): Given {
  const value = given[name];
  return typeof value === 'object' && value !== null ? (value as Given) : {};
}

export function textIn(given: Given, name: string): string | undefined {
  const value = given[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An object of strings as it was written, to keep its order. The strings may contain braces. */
export function rawObjectIn(text: string, name: string): Raw | undefined {
  const pattern = new RegExp(`"${name}"\\s*:\\s*(\\{(?:[^{}"]|"(?:[^"\\\\]|\\\\.)*")*\\})`);
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : new Raw(found);
}

const AMOUNT = /^(\d{1,13})(?:\.(\d{1,2}))?$/;

/** Converts rupees to paise; undefined if the text is not an amount. */
export function paise(text: string | undefined): bigint | undefined {
  const [, whole, fraction = ''] = AMOUNT.exec(text ?? '') ?? [];
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(2, '0'));
}

/** For example `170.00`. */
export function rupeesText(amount: bigint): string {
  const text = String(amount).padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
}

export function rupees(amount: bigint): Raw {
  return new Raw(rupeesText(amount));
}
