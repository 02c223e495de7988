// Finds the members of an object and the elements of an array in a JSON text, so that they can be
// copied as they were sent. The text must be valid JSON.

export type Span = { readonly start: number; readonly end: number };
/** `keyStart` is the quote before the name; `start` and `end` enclose the value. */
export type Member = Span & { readonly name: string; readonly keyStart: number };

const SPACE = /\s*/y;
const SCALAR = /[^\s,\]}]*/y;
/** Text that is not a string and does not change the depth. */
const PLAIN = /[^"[\]{}]*/y;

/** `at`: the opening brace. */
export function membersOf(text: string, at: number): Member[] {
  const members: Member[] = [];
  let pos = skipSpace(text, at + 1);
  while (text[pos] !== '}') {
    const keyStart = pos;
    const keyEnd = endOfString(text, keyStart);
    const name = JSON.parse(text.slice(keyStart, keyEnd)) as string;
    const colon = skipSpace(text, keyEnd);
    const start = skipSpace(text, colon + 1);
    const end = endOfValue(text, start);
    members.push({ name, keyStart, start, end });
    pos = behindComma(text, end);
  }
  return members;
}

/** `at`: the opening bracket. */
export function elementsOf(text: string, at: number): Span[] {
  const elements: Span[] = [];
  let pos = skipSpace(text, at + 1);
  while (text[pos] !== ']') {
    const end = endOfValue(text, pos);
    elements.push({ start: pos, end });
    pos = behindComma(text, end);
  }
  return elements;
}

/** The start of the next member or element, or the closing brace or bracket. */
function behindComma(text: string, end: number): number {
  const pos = skipSpace(text, end);
  return text[pos] === ',' ? skipSpace(text, pos + 1) : pos;
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first === '{' || first === '[') return endOfNested(text, start);
  return endOf(SCALAR, text, start);
}

function endOfNested(text: string, start: number): number {
  let depth = 0;
  for (let pos = start; ; pos = endOf(PLAIN, text, pos)) {
    const found = text[pos];
    if (found === '"') {
      pos = endOfString(text, pos);
      continue;
    }
    depth += found === '{' || found === '[' ? 1 : -1;
    pos++;
    if (depth === 0) return pos;
  }
}

/** `start`: the opening quote. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

/** Whether it follows an odd number of backslashes. */
function isEscaped(text: string, quote: number): boolean {
  let before = quote;
  while (text[before - 1] === '\\') before--;
  return (quote - before) % 2 === 1;
}

function skipSpace(text: string, start: number): number {
  return endOf(SPACE, text, start);
}

/** The end of a match that begins at `start` and may be empty. */
function endOf(sticky: RegExp, text: string, start: number): number {
  sticky.lastIndex = start;
  sticky.test(text);
  return sticky.lastIndex;
}
