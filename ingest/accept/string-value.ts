import type { JsonScanner } from './json-scanner.ts';

/** The string that the scanner has just taken, with its escapes resolved. */
export function decodeString(scanner: JsonScanner): string {
  const { bytes, stringStart, stringEnd, hasEscapes } = scanner;
  return decodeSlice(bytes, stringStart, stringEnd, hasEscapes);
}

export function decodeSlice(
  bytes: Uint8Array,
  start: number,
  end: number,
  hasEscapes: boolean,
): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
  return hasEscapes ? (JSON.parse(`"${text}"`) as string) : text;
}

/** Why a decoded string can't be a column of its own; undefined when it can. */
export function unstorable(value: string): string | undefined {
  if (!value.isWellFormed()) return 'a lone surrogate';
  return value.includes('\u0000') ? 'a NUL character' : undefined;
}
