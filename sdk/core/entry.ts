import type { ReportPath } from './client-host.ts';
import type { Ids } from './ids.ts';

/** One event or report as it waits to be sent. */
export type Entry = {
  /** Unique, and sorts by the time of its creation. */
  readonly key: string;
  readonly path: '/v1/batch' | ReportPath;
  /** Its JSON, which is the same each time that it is sent. */
  readonly text: string;
  /** Of the text, as UTF-8. */
  readonly bytes: number;
  readonly atMs: number;
};

const KEY_TIME_DIGITS = 9;

/** Throws if the value has no JSON, because of a circle or a BigInt. */
export function createEntry(
  path: Entry['path'],
  value: Readonly<Record<string, unknown>>,
  { nowMs, newId, nextNumber }: Ids,
): Entry {
  const text = JSON.stringify(value);
  const atMs = nowMs();
  const time = atMs.toString(36).padStart(KEY_TIME_DIGITS, '0');
  const number = nextNumber().toString(36).padStart(KEY_TIME_DIGITS, '0');
  const bytes = new TextEncoder().encode(text).length;
  return { key: `${time}-${number}-${newId()}`, path, text, bytes, atMs };
}
