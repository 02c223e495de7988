import type { Entry } from './entry.ts';

/** Undefined if the text is not JSON, for example a proxy's error page. */
export function parseJson(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** The entries as the values that the developer passed. */
export function valuesOf(entries: readonly Entry[]): readonly unknown[] {
  return entries.map(({ text }) => parseJson(text));
}
