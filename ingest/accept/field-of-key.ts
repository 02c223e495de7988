import { FIELD_NAMES } from './batch-events.ts';
import type { JsonScanner } from './json-scanner.ts';
import { decodeString } from './string-value.ts';

/** The number of the event field whose key the scanner has just taken; undefined for others. */
export function fieldOfKey(scanner: JsonScanner): number | undefined {
  if (scanner.hasEscapes) return BY_NAME.get(decodeString(scanner));
  const { bytes, stringStart, stringEnd } = scanner;
  const length = stringEnd - stringStart;
  for (const field of BY_LENGTH[length] ?? []) {
    const name = NAMES[field]!;
    let i = 0;
    while (i < length && bytes[stringStart + i] === name[i]) i++;
    if (i === length) return field;
  }
  return undefined;
}

const NAMES = FIELD_NAMES.map(name => Buffer.from(name));
const BY_NAME = new Map<string, number>(FIELD_NAMES.map((name, field) => [name, field]));
const BY_LENGTH: number[][] = [];
for (const [field, name] of NAMES.entries()) {
  BY_LENGTH[name.length] ??= [];
  BY_LENGTH[name.length]!.push(field);
}
