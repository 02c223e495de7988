// Sizes of JSON strings without decoding them. `bytes[start, end)` is the content between the
// quotes: valid UTF-8 with valid escapes.

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** Counts Unicode characters; a surrogate pair written as two escapes counts as one. */
export function decodedCharacters(bytes: Uint8Array, start: number, end: number): number {
  let characters = 0;
  let pos = start;
  while (pos < end) {
    const unit = escapedUnit(bytes, pos);
    if (unit >= 0) {
      const isPair = isHigh(unit) && pos + 6 < end && isLow(escapedUnit(bytes, pos + 6));
      pos += isPair ? 12 : 6;
    } else if (bytes[pos] === BACKSLASH) pos += 2;
    else pos += utf8Length(bytes[pos]!);
    characters++;
  }
  return characters;
}

/** The size of the decoded string in UTF-8. A lone surrogate counts as three bytes, as in WTF-8. */
export function decodedUtf8Bytes(bytes: Uint8Array, start: number, end: number): number {
  let size = 0;
  let pos = start;
  while (pos < end) {
    const unit = escapedUnit(bytes, pos);
    if (unit >= 0) {
      const isPair = isHigh(unit) && pos + 6 < end && isLow(escapedUnit(bytes, pos + 6));
      size += isPair ? 4 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
      pos += isPair ? 12 : 6;
    } else if (bytes[pos] === BACKSLASH) {
      size++;
      pos += 2;
    } else {
      size++;
      pos++;
    }
  }
  return size;
}

/** The UTF-16 code unit of the \u escape at `pos`; -1 if there is no escape. */
function escapedUnit(bytes: Uint8Array, pos: number): number {
  if (bytes[pos] !== BACKSLASH || bytes[pos + 1] !== LETTER_U) return -1;
  let unit = 0;
  for (let i = 2; i < 6; i++) unit = unit * 16 + hexDigit(bytes[pos + i]!);
  return unit;
}

function hexDigit(byte: number): number {
  return byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function utf8Length(lead: number): number {
  return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}
