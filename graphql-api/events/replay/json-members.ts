// Splits a JSON object into the texts of its members, so that one member can be changed while the
// others keep their bytes. JSON.parse would round numbers and lose their notation.

export type Member = {
  readonly key: string;
  /** The key as written, with quotes. */
  readonly keyText: string;
  readonly valueText: string;
};

/** Undefined if the text is not a JSON object. */
export function membersOf(text: string): Member[] | undefined {
  if (!isObject(text)) return undefined;
  const members: Member[] = [];
  let position = text.indexOf('{') + 1;
  for (;;) {
    position = text.indexOf('"', position);
    if (position === -1) return members;
    const keyEnd = endOfString(text, position);
    const colon = text.indexOf(':', keyEnd);
    const valueEnd = endOfValue(text, colon + 1);
    const keyText = text.slice(position, keyEnd);
    members.push({
      key: JSON.parse(keyText) as string,
      keyText,
      valueText: text.slice(colon + 1, valueEnd).trim(),
    });
    position = valueEnd;
  }
}

export function objectOf(members: readonly Member[]): string {
  return `{${members.map(({ keyText, valueText }) => `${keyText}:${valueText}`).join(',')}}`;
}

export function memberOf(key: string, value: unknown): Member {
  return { key, keyText: JSON.stringify(key), valueText: JSON.stringify(value) };
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** The offset after the closing quote of the string that opens at `start`. Requires valid JSON. */
function endOfString(text: string, start: number): number {
  let position = start + 1;
  while (text[position] !== '"') position += text[position] === '\\' ? 2 : 1;
  return position + 1;
}

/** The offset of the comma or brace that ends a member's value. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let position = start;
  for (;;) {
    const character = text[position];
    if (character === '"') {
      position = endOfString(text, position);
      continue;
    }
    if (depth === 0 && (character === ',' || character === '}')) return position;
    if (character === '{' || character === '[') depth++;
    if (character === '}' || character === ']') depth--;
    position++;
  }
}
