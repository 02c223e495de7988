import type { Entry } from './entry.ts';

/** Undefined for what is not JSON, such as what an intermediary says. */
export function parseJson(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** Entries as the developer knows them. */
export function valuesOf(entries: readonly Entry[]): readonly unknown[] {
  return entries.map(({ text }) => parseJson(text));
}
