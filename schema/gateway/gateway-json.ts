// Parses the gateway's JSON without losing precision: a number becomes its source text. IDs are
// numbers in one version and strings in the next, and some exceed 2^53. Amounts vary likewise. So
// readers always get text.

export type GatewayJson = string | boolean | null | readonly GatewayJson[] | GatewayObject;
export type GatewayObject = { readonly [key: string]: GatewayJson | undefined };

const EMPTY: GatewayObject = {};
/** The gateway's placeholders for missing values. */
const NOTHING: ReadonlySet<string> = new Set(['', 'null', 'NA']);

/** Empty unless the text is a JSON object. */
export function parseGatewayJson(text: string): GatewayObject {
  try {
    const value: unknown = JSON.parse(withNumbersQuoted(text));
    return isObject(value) ? value : EMPTY;
  } catch {
    // Malformed JSON. The signed body is stored anyway.
    return EMPTY;
  }
}

/** Empty if there is no object at the path. */
export function objectAt(value: GatewayObject, ...path: readonly string[]): GatewayObject {
  const found = valueAt(value, path);
  return isObject(found) ? found : EMPTY;
}

/** A string or a number, as text. Undefined for anything else and for placeholders. */
export function textAt(value: GatewayObject, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' && !NOTHING.has(found) ? found : undefined;
}

function valueAt(value: GatewayObject, path: readonly string[]): GatewayJson | undefined {
  let found: GatewayJson | undefined = value;
  for (const key of path) {
    if (!isObject(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

function isObject(value: unknown): value is GatewayObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Four times as fast as a reviver that reads each number's source. */
function withNumbersQuoted(text: string): string {
  let quoted = '';
  let copiedTo = 0;
  let i = 0;
  while (i < text.length) {
    if (text.charCodeAt(i) === QUOTE) {
      i = endOfString(text, i);
      continue;
    }
    const end = endOfNumber(text, i);
    if (end > i) {
      quoted += `${text.slice(copiedTo, i)}"${text.slice(i, end)}"`;
      copiedTo = end;
    }
    i = Math.max(end, i + 1);
  }
  return quoted + text.slice(copiedTo);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Returns the position after the closing quote. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) i++;
    else if (code === QUOTE) return i + 1;
  }
  return text.length;
}

/** Returns `start` if no number begins there. */
function endOfNumber(text: string, start: number): number {
  if (!isDigit(text, start) && !(text[start] === '-' && isDigit(text, start + 1))) return start;
  let end = start + 1;
  while (isDigit(text, end) || (end < text.length && '.eE+-'.includes(text[end]!))) end++;
  return end;
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0x30 && code <= 0x39;
}
